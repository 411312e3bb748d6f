// A FerretDB on 127.0.0.1 with its data in a folder: for tests of the MongoDB adapters.
package main

import (
	"context"
	"flag"
	"log"
	"os"
	"os/signal"
	"syscall"

	"github.com/FerretDB/FerretDB/ferretdb"
)

func main() {
	address := flag.String("listen", "127.0.0.1:27018", "address and port")
	folder := flag.String("data", "", "an existing folder")
	flag.Parse()
	server, err := ferretdb.New(&ferretdb.Config{
		Listener:  ferretdb.ListenerConfig{TCP: *address},
		Handler:   "sqlite",
		SQLiteURL: "file:" + *folder + "/",
	})
	if err != nil {
		log.Fatal(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := server.Run(ctx); err != nil {
		log.Fatal(err)
	}
}
