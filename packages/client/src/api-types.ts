/* @generated from docs/reference/openapi.json: npm run generate writes it. */
export interface paths {
    "/v1/sessions/{sessionId}/artifacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Store an image, a document or any other bytes, for inputs and results to name
         * @description At most 67108864 bytes, read as a stream. The same content again is stored once. Give the answer as `artifact` of an image or document block.
         */
        post: operations["artifacts.keep"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/artifacts/{hash}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Content that is no part of an event: the whole, or a range of bytes */
        get: operations["artifacts.read"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who did what: in all sessions, and with keys, tools, budgets and exports
         * @description In the order of the log, without contents.
         */
        get: operations["audit.read"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit/exports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Everything that happened, with contents, and a manifest as the last line
         * @description One event per line; the last line is {manifest}: who exported what and when, the versions of each session, and the SHA-256 of all lines before. The export itself is recorded first.
         */
        post: operations["audit.export"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What changed between two versions: state, calls, facts, model input, cost */
        get: operations["audit.changes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/compactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Ask for the range to summarise; inputs go on being accepted */
        post: operations["compactions.start"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/compactions/{compactionId}/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What a summary would lose: said in the covered range, in neither summary nor facts */
        post: operations["compactions.check"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/compactions/{compactionId}/commit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Put a summary in place of the covered range; the log keeps everything */
        post: operations["compactions.commit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/compactions/{compactionId}/fail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Give it up; it had no effect */
        post: operations["compactions.fail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/context": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The model input without instructions and tools */
        get: operations["context.read"];
        put?: never;
        /** The exact next model input, with instructions and tools as they are now */
        post: operations["context.build"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/contexts/{contextId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A model input as it was handed out, byte for byte
         * @description `contextId` stands in the ModelCallStarted event. Instructions, tools and date are those of that time. 410: what can be built today would not be the same bytes.
         */
        get: operations["context.past"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Load, settle, assemble: how it stands, what is unknown, what comes next */
        post: operations["context.restore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The session's own log, as recorded: a page, an export or a live feed
         * @description Accept: application/json is a page, application/x-ndjson all events up to now, text/event-stream those and all that come. The id of an event in a stream is its revision.
         */
        get: operations["events.ofSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What happens in all sessions: a page, an export or a live feed
         * @description In the order of the log. Accept as for one session; the id of an event in a stream is its position. All filters must let an event through.
         */
        get: operations["events.ofTenant"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/facts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The facts that hold, always current */
        get: operations["facts.list"];
        put?: never;
        /** Record facts that every later context shows word for word */
        post: operations["facts.record"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/facts/{factId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One fact with all its versions */
        get: operations["facts.read"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/erase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Destroy a session's content for good; doing it again tells how far it is */
        post: operations["erasures.erase"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/forks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Fork by reference: the parent is not written, nothing is copied */
        post: operations["forks.fork"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/revert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Hide the end of the conversation; the log keeps it */
        post: operations["forks.revert"];
        /** Show again what was hidden since the last input */
        delete: operations["forks.clear"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/compare": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Two sessions from their common history on */
        get: operations["forks.compare"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tool-calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Find a write by its operation key or by the id that its target gave it */
        get: operations["foundcalls.find"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/cost": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Usage and cost by day, model, user, label or session */
        get: operations["costs.series"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/cost": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Own, descendants and inclusive usage and cost, now or at any moment */
        get: operations["costs.cost"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/cost/children": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Costs of the direct children, page by page */
        get: operations["costs.children"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/cost/calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The session's own calls, one by one: what each figure consists of */
        get: operations["costs.calls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The conversation, item by item; a fork shows its inherited part too */
        get: operations["history.messages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/inputs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Accept an input; it is durable when this answers */
        post: operations["inputs.accept"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/inputs/{inputId}/delivery": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Bring an input forward that waits, or put it off */
        post: operations["inputs.deliver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/inputs/{inputId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Withdraw an input that no model has seen */
        delete: operations["inputs.withdraw"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The tenant's keys, also those that open nothing any more */
        get: operations["keys.list"];
        put?: never;
        /** Make a key; the answer is the only place that shows it */
        post: operations["keys.add"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys/{keyId}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make the key that takes over from this one */
        post: operations["keys.rotate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Let a key open nothing any more; everywhere within ten seconds */
        delete: operations["keys.revoke"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/model-calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Before a request goes to a model: make it durable */
        post: operations["modelcalls.start"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/model-calls/{modelCallId}/message": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Record finished blocks while the answer is still coming */
        post: operations["modelcalls.message"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/model-calls/{modelCallId}/settle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The answer (or its absence), usage and cost, in one append */
        post: operations["modelcalls.settle"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/model-calls/{modelCallId}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Usage that came after the call was settled without a final one; needs no claim */
        post: operations["modelcalls.usage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/prices/quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Usage and cost of a provider response: what would be recorded, without recording it */
        post: operations["prices.quote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/prices/cards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Price cards, your own and the built-in ones, with their sources */
        get: operations["prices.list"];
        put?: never;
        /** Add price cards of your own; no past cost changes */
        post: operations["prices.add"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/prices/reprice": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Price recorded calls again by the cards of now; what they were recorded with stays */
        post: operations["prices.reprice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reconciliations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Sessions not at rest: who has them, what is due, who must decide what by when */
        get: operations["reconciliations.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reconciliations/calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Tool calls without a final outcome, and who must decide what by when; a read model */
        get: operations["reconciliations.calls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/budgets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Budgets, and what is spent, held and left of each */
        get: operations["budgets.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/budgets/{budgetId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One budget, and what is spent, held and left of it */
        get: operations["budgets.read"];
        /** Set a budget, or other amounts of it; calls count from then on */
        put: operations["budgets.set"];
        post?: never;
        /** Remove a budget; what was spent of it stays in the log */
        delete: operations["budgets.remove"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/redaction": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Which secrets are masked before anything is stored */
        get: operations["redaction.read"];
        /**
         * Set the tenant's own patterns
         * @description Holds for what is stored from then on: here at once, elsewhere in ten seconds.
         */
        put: operations["redaction.set"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Claim the session: become the one worker that moves it */
        post: operations["runs.claim"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/runs/{runId}/heartbeat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Keep the lease; learn whether to stop */
        post: operations["runs.heartbeat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/runs/{runId}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The run is done */
        post: operations["runs.complete"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/runs/{runId}/fail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The run cannot go on */
        post: operations["runs.fail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/runs/{runId}/interrupt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The worker shuts down in good order; the run goes on later */
        post: operations["runs.interrupt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/runs/{runId}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Give the session back while it waits */
        post: operations["runs.release"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/runs/{runId}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A user's stop: it survives restarts */
        post: operations["runs.stop"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/runs/{runId}/stopped": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The owner has carried out the stop */
        post: operations["runs.stopped"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List sessions */
        get: operations["sessions.list"];
        put?: never;
        /** Start a session */
        post: operations["sessions.start"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One session, always current */
        get: operations["sessions.read"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Lift a user's stop or a quarantine */
        post: operations["sessions.resume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/labels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set and remove labels: what lists filter by and costs are summed by */
        post: operations["sessions.label"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/record": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Several steps of a run, all or nothing */
        post: operations["sessions.record"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/tool-calls/{callId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One call with everything that is known of it */
        get: operations["toolcalls.read"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/tool-calls/{callId}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The permit: durable before the tool is called */
        post: operations["toolcalls.start"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/tool-calls/{callId}/progress": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Report the target's id, or how far the call is */
        post: operations["toolcalls.progress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/tool-calls/{callId}/result": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What the tool answered; durable before you use it */
        post: operations["toolcalls.result"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/tool-calls/{callId}/unknown": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A timeout or a lost connection: the outcome is not known */
        post: operations["toolcalls.unknown"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/tool-calls/{callId}/skip": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A call that will never be started */
        post: operations["toolcalls.skip"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/tool-calls/{callId}/late-result": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An answer that arrived after the session changed hands; never refused */
        post: operations["toolcalls.late"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/tool-calls/{callId}/probes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What the target says about the operation, with evidence */
        post: operations["toolcalls.probe"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/tool-calls/{callId}/approval": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A person allows the call, or denies it before it starts */
        post: operations["toolcalls.approve"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/tool-calls/{callId}/lower": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A promise of its manifest proved false: treat the call as an opaqueWrite */
        post: operations["toolcalls.lower"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/tool-calls/{callId}/decision": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A person decides on a call of unknown outcome */
        post: operations["toolcalls.decide"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The newest version of each registered tool */
        get: operations["tools.list"];
        put?: never;
        /** Register what tools promise; open calls keep what they have */
        post: operations["tools.register"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tools/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Every version of a registered tool, the newest first */
        get: operations["tools.show"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/work/claim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Wait for a session that has work, and claim it
         * @description The oldest work first. 204: none came within `waitMs`; ask again. A repetition with the same `claimToken` is answered with the same session while it is held.
         */
        post: operations["work.claim"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/work": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Sessions that workers have or could have, with lease and attempts */
        get: operations["work.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        ArtifactView: {
            /** @description Keyed hash of the content: its address in this session. */
            hash: string;
            sizeBytes: number;
            mediaType: string;
        };
        AuditEntryView: {
            position: string;
            /** Format: date-time */
            at: string;
            actor: string;
            /** @description What was asked for. */
            command: string;
            commandId: string;
            /** @description What came of it: the type of the event. */
            type: string;
            /** @description Absent for the tenant's own: keys, tools, denials. */
            sessionId?: string;
            revision: number;
            /** @description Ids, names and outcomes; never content. */
            details: Record<string, unknown>;
            /** @description {path, rule, flagged?} */
            redactions?: Record<string, unknown>[];
        };
        AuditEntriesView: {
            /** @description Can be fewer than `first`, or none, before the end: a filter looks far. */
            entries: components["schemas"]["AuditEntryView"][];
            /** @description Give it as `after` for the next page. */
            next: string;
            /** @description Nothing was left at that moment. */
            caughtUp: boolean;
        };
        AuditExportBody: {
            /** @description Only what this one has done. */
            actor?: string;
            /** @description Only what these commands have done. */
            commands?: string[];
            /** @description Only events of these types. */
            types?: string[];
            /** @description Only events of these sessions. */
            sessions?: string[];
            /** @description Only of sessions that have this label now: name=value. */
            label?: string;
            /**
             * Format: date-time
             * @description Only what was recorded then or later.
             */
            since?: string;
            /**
             * Format: date-time
             * @description Only what was recorded before.
             */
            until?: string;
            /** @description Only denials, exports, keys, settings, and what people decided. */
            trail?: boolean;
            /** @description Only events in which secrets were masked or noted. */
            redacted?: boolean;
            /** @description Apply the rules of now to what was stored earlier; the log is not changed. */
            redact?: boolean;
        };
        VersionDifferenceView: {
            sessionId: string;
            from: number;
            to: number;
            /** @description {count, byType, byActor} of the events between. */
            events: Record<string, unknown>;
            /** @description {field, before, after} of what is not the same. */
            state: Record<string, unknown>[];
            /** @description {callId, tool, before, after, attempts}. */
            calls: Record<string, unknown>[];
            /** @description {factId, before, after}, word for word. */
            facts: Record<string, unknown>[];
            /** @description Of the neutral model input: `same` messages at the beginning, then what was `removed` and `added` (200 of each at most; their counts are whole), and the estimated tokens. */
            context: Record<string, unknown>;
            /** @description {before, after}, each {own, inclusive} figures. */
            cost: Record<string, unknown>;
        };
        StartCompactionBody: {
            /** @description Epoch of your claim. */
            epoch: number;
            /** @description The secret that you made for your claim; only its hash is stored. */
            claimToken: string;
            /** @description Make it yourself to be able to retry. Default: made of the Idempotency-Key, or a new UUID. */
            compactionId?: string;
            /**
             * @description Who wanted it.
             * @enum {string}
             */
            trigger?: "auto" | "manual";
            /** @description Most tokens of the kept tail. */
            keepTokens?: number;
            /** @description Groups (a message, or a call with its results) to keep at least. Default: 4. */
            keepGroups?: number;
            /** @description Allow the tail to begin inside a turn, not only at a user input. */
            withinTurn?: boolean;
        };
        CompactionView: {
            /** @description The session that was written. */
            sessionId: string;
            /** @description Revision of the command's last event; also the ETag. */
            revision: number;
            /**
             * @description Give it to a read as `atLeast` to see this write.
             * @example 42
             */
            position: string;
            /** @description The same command was done before; this is its answer. */
            replayed: boolean;
            /** @description A repeated id came with other content; the first one stays. */
            payloadDiffers: boolean;
            /** @description Secrets that were masked in what was stored, or noted: read it back. */
            redactions?: number;
            compactionId: string;
            /** @description First covered event. */
            coveredFrom?: Record<string, unknown>;
            /** @description Last covered event. */
            coveredTo?: Record<string, unknown>;
            /** @description First event of the kept tail. */
            keptFrom?: Record<string, unknown>;
            /** @description The covered conversation, to be summarised. */
            text?: string;
            /** @description The earlier summary; the new one takes it in. */
            earlierSummary?: string;
            /** @description What the summary must keep. */
            rules: string[];
            tokensBefore?: number;
            tokensKept?: number;
        };
        CheckCompactionBody: {
            /** @description The summary that is to be checked. Absent: the built-in digest. */
            summary?: string;
        };
        OmissionView: {
            /** @enum {string} */
            kind: "amount" | "path" | "identifier" | "url" | "date" | "version" | "negatedConstraint";
            /** @description As it was said; of a long sentence the part that forbids. */
            text: string;
            /**
             * @description Who said it.
             * @enum {string}
             */
            by: "user" | "assistant" | "summary";
            /** @description The first event that says it. */
            at?: Record<string, unknown>;
            /** @description Messages that say it. */
            count: number;
        };
        OmissionsView: {
            /** @description Most useful first. */
            omissions: components["schemas"]["OmissionView"][];
            /** @description Omissions that did not fit into the list. */
            omissionsCut: number;
            /** @description Characters that were not looked at: the range is too long. */
            unreadCharacters: number;
        };
        CommitCompactionBody: {
            /** @description Epoch of your claim. */
            epoch: number;
            /** @description The secret that you made for your claim; only its hash is stored. */
            claimToken: string;
            /** @description What stands for the covered range. Absent: a built-in digest, made by no model. */
            summary?: string;
            /** @description The provider's own summary, beside the readable one: {provider, api?, model, blocks}, with blocks of type compaction as the provider made them. Only that model gets them back. */
            native?: Record<string, unknown>;
            /** @description The model call that made the summary, for its cost. */
            modelCallId?: string;
        };
        ListedOmissionView: {
            /** @enum {string} */
            kind: "amount" | "path" | "identifier" | "url" | "date" | "version" | "negatedConstraint";
            /** @description As it was said; of a long sentence the part that forbids. */
            text: string;
        };
        CommittedCompactionView: {
            /** @description The session that was written. */
            sessionId: string;
            /** @description Revision of the command's last event; also the ETag. */
            revision: number;
            /**
             * @description Give it to a read as `atLeast` to see this write.
             * @example 42
             */
            position: string;
            /** @description The same command was done before; this is its answer. */
            replayed: boolean;
            /** @description A repeated id came with other content; the first one stays. */
            payloadDiffers: boolean;
            /** @description Secrets that were masked in what was stored, or noted: read it back. */
            redactions?: number;
            /** @description What the summary lost, most useful first; it stays in the log for audit. */
            omissions?: components["schemas"]["ListedOmissionView"][];
            /** @description Omissions that did not fit into the list. */
            omissionsCut?: number;
        };
        FailCompactionBody: {
            /** @description Epoch of your claim. */
            epoch: number;
            /** @description The secret that you made for your claim; only its hash is stored. */
            claimToken: string;
            /** @description What went wrong. */
            detail?: string;
        };
        ReceiptView: {
            /** @description The session that was written. */
            sessionId: string;
            /** @description Revision of the command's last event; also the ETag. */
            revision: number;
            /**
             * @description Give it to a read as `atLeast` to see this write.
             * @example 42
             */
            position: string;
            /** @description The same command was done before; this is its answer. */
            replayed: boolean;
            /** @description A repeated id came with other content; the first one stays. */
            payloadDiffers: boolean;
            /** @description Secrets that were masked in what was stored, or noted: read it back. */
            redactions?: number;
        };
        ContextView: {
            /** @enum {string} */
            format: "neutral" | "openai-chat" | "openai-responses" | "anthropic" | "gemini" | "ai-sdk" | "langchain";
            /** @description Give it to the model call that sends this input; it can be shown again by it. */
            contextId: string;
            /** @description Keyed hash of what is sent: the same bytes, the same hash. */
            contentHash: string;
            /** @description System field, where the format has one: `system` of anthropic and ai-sdk, `systemInstruction` of gemini, `instructions` of openai-responses. These are stateless: send `store: false` and `include: ["reasoning.encrypted_content"]` with them. */
            system?: string | Record<string, unknown> | Record<string, unknown>[];
            /** @description The tools of the request. */
            tools?: Record<string, unknown>[] | Record<string, unknown>;
            /** @description Ready to send, in the format's shape. */
            messages: Record<string, unknown>[];
            /** @description Give it to the model call. */
            inputRevision: number;
            /** @description Inputs that the model call delivers: give it these. */
            delivers: string[];
            /** @description What was repaired for the provider, and why. */
            repairs: Record<string, unknown>[];
            /** @description What of the log is not in it, and why. */
            leftOut: Record<string, unknown>[];
            /** @description Tool outputs that were cut for the budget. */
            trimmed: Record<string, unknown>[];
            /** @description Groups that the budget left out. */
            dropped?: Record<string, unknown>;
            estimatedTokens: number;
            /** @description How tokens were counted. `by`: the name of the tokenizer, or `estimate`. `estimatedTexts`: how many texts the tokenizer did not count. `onReportedUsage`: added to what the provider counted for the request before. */
            counting: Record<string, unknown>;
            /** @description The conversation did not fit as it is. */
            compactionNeeded: boolean;
            /** @description Calls without an outcome. */
            unresolved: Record<string, unknown>[];
        };
        ContextBody: {
            /**
             * @description Whose shape.
             * @enum {string}
             */
            format?: "neutral" | "openai-chat" | "openai-responses" | "anthropic" | "gemini" | "ai-sdk" | "langchain";
            /** @description System instructions, as they are now. */
            instructions?: string;
            /** @description Tool definitions in the provider's shape; passed on and counted. */
            tools?: Record<string, unknown>[] | Record<string, unknown>;
            /** @description What is called now; stands once, at the tail. Default: nothing. */
            now?: string;
            /** @description Provider that will get it. */
            provider?: string;
            /** @description Model that will get it. */
            model?: string;
            /** @description Most input tokens. Absent: nothing is cut. */
            budgetTokens?: number;
            /** @description Quirks of server and model, as the provider rules name them. */
            options?: Record<string, unknown>;
            /** @description Marks for the prompt cache, at most four, behind tools and system, facts and summary, and the newest stable messages; for anthropic, other formats have none. `ttl`: 5m or 1h. */
            cache?: {
                /** @enum {string} */
                ttl?: "5m" | "1h";
            };
        };
        RestoreSessionBody: {
            /**
             * @description Whose shape.
             * @enum {string}
             */
            format?: "neutral" | "openai-chat" | "openai-responses" | "anthropic" | "gemini" | "ai-sdk" | "langchain";
            /** @description System instructions, as they are now. */
            instructions?: string;
            /** @description Tool definitions in the provider's shape; passed on and counted. */
            tools?: Record<string, unknown>[] | Record<string, unknown>;
            /** @description What is called now; stands once, at the tail. Default: nothing. */
            now?: string;
            /** @description Provider that will get it. */
            provider?: string;
            /** @description Model that will get it. */
            model?: string;
            /** @description Most input tokens. Absent: nothing is cut. */
            budgetTokens?: number;
            /** @description Quirks of server and model, as the provider rules name them. */
            options?: Record<string, unknown>;
            /** @description Marks for the prompt cache, at most four, behind tools and system, facts and summary, and the newest stable messages; for anthropic, other formats have none. `ttl`: 5m or 1h. */
            cache?: {
                /** @enum {string} */
                ttl?: "5m" | "1h";
            };
            /** @description Also claim the session for this worker. Absent: only say how it stands. */
            workerId?: string;
            /** @description With `workerId`: a new random secret for the claim. */
            claimToken?: string;
            /** @description Id of a run that the claim starts. Default: a new UUID. */
            runId?: string;
            /** @description Operator: claim although the lease is live. */
            force?: boolean;
            /** @description Version of your agent program. A difference from the last claim is reported. */
            profileVersion?: string;
            /** @description The tools that you can call: no other gets a permit. Default: any. */
            toolNames?: string[];
            /** @description Go on although tools of open calls are missing or promise something else. */
            confirmDifferences?: boolean;
        };
        StandingView: {
            /**
             * @description What ended the last activity; a crash, a shutdown and a stop are told apart.
             * @enum {string}
             */
            stoppedBy: "nothing" | "crash" | "shutdown" | "release" | "import" | "user" | "budget" | "completed" | "failed" | "neverStarted";
            /** @description Whether a worker may claim it now. */
            mayContinue: boolean;
            /** @description One sentence for people. */
            why: string;
            heldBy?: string;
            /** Format: date-time */
            leaseExpiresAt?: string;
        };
        CallView: {
            callId: string;
            /** @description The provider's id of the call. */
            providerCallId?: string;
            tool: string;
            /** @enum {string} */
            effect: "readOnly" | "keyedWrite" | "queryableWrite" | "opaqueWrite";
            /** @description State of the call; unknown is never "failed". */
            state: string;
            /** @description Operation key: ask the target by it. */
            opKey: string;
            /** @description Attempts that were permitted so far. */
            attempts: number;
            /** @description Why the outcome is unknown. */
            unknownReason?: string;
            /** @description The target's id of the operation. */
            externalRef?: string;
            /** @description Attempt that may be started now. */
            nextAttempt?: number;
            /** @description Until when that attempt may start. */
            retryUntil?: string;
            /** @description The question that is open: name it in the decision. */
            escalationId?: string;
            /**
             * @description Whether it may be started, when somebody has to allow it.
             * @enum {string}
             */
            approval?: "pending" | "allow" | "deny";
            /** @description Who must decide. */
            asked?: string;
            /** @description By when. */
            decisionDueAt?: string;
            /** @description Of a call of unknown outcome, among the unresolved: what can be decided now. */
            decisions?: ("applied" | "notApplied" | "retry" | "compensate" | "abandon")[];
            /** @description The session that settles an inherited call. */
            originSessionId?: string;
            /** @description The call that undoes this one. */
            compensationCallId?: string;
            /** @description The call that this one undoes, as a person ordered. */
            compensates?: string;
            /** @description Probes recorded so far. */
            probes: number;
        };
        DifferenceView: {
            /** @enum {string} */
            what: "profileVersion" | "toolAdded" | "toolMissing" | "toolPromises";
            tool?: string;
            before?: string;
            now?: string;
            /** @description An open call depends on it: a claim has to confirm it. */
            isIncompatible: boolean;
        };
        ClaimView: {
            /** @description The session that was written. */
            sessionId: string;
            /** @description Revision of the command's last event; also the ETag. */
            revision: number;
            /**
             * @description Give it to a read as `atLeast` to see this write.
             * @example 42
             */
            position: string;
            /** @description The same command was done before; this is its answer. */
            replayed: boolean;
            /** @description A repeated id came with other content; the first one stays. */
            payloadDiffers: boolean;
            /** @description Secrets that were masked in what was stored, or noted: read it back. */
            redactions?: number;
            runId: string;
            /** @description Send it, with your claim token, with everything that you record. */
            epoch: number;
            /**
             * @description compensation: only make the `unresolved` calls that undo others, then complete it.
             * @enum {string}
             */
            kind: "agent" | "compaction" | "compensation";
            /** @enum {string} */
            reason: "start" | "resume" | "takeover";
            /** @description Send heartbeats well within this time. */
            leaseTtlMs: number;
            /** @description Inputs that this claim delivered. */
            inputIds: string[];
            /** @description From the last worker that said what it was. */
            differences: components["schemas"]["DifferenceView"][];
            /** @description Calls without a known outcome. */
            unresolved: components["schemas"]["CallView"][];
        };
        RestoreView: {
            sessionId: string;
            revision: number;
            /** @enum {string} */
            status: "idle" | "owned" | "scheduled" | "waiting" | "stopped" | "erasing" | "erased";
            /** @description How it stood before this request claimed it. */
            standing: components["schemas"]["StandingView"];
            /** @description Recovery attempts that are left to this run. */
            attemptsLeft: number;
            /** @description What is unknown, and what is done about it. */
            unresolved: components["schemas"]["CallView"][];
            /** @description Accepted inputs that no model has seen; they are delivered by a claim or a turn. */
            pendingInputs: string[];
            /** @description From the last worker that said what it was. */
            differences: components["schemas"]["DifferenceView"][];
            claim?: components["schemas"]["ClaimView"];
            /** @description The next model input. */
            context: components["schemas"]["ContextView"];
        };
        EventView: {
            revision: number;
            position: string;
            eventId: string;
            type: string;
            /** Format: date-time */
            recordedAt: string;
            /** @description Who caused it. */
            actor: string;
            data: Record<string, unknown>;
        };
        EventPageView: {
            events: components["schemas"]["EventView"][];
            /** @description Give it as `from` for the next page. */
            next?: number;
            /** @description Newest revision. */
            revision: number;
        };
        TenantEventView: {
            revision: number;
            position: string;
            eventId: string;
            type: string;
            /** Format: date-time */
            recordedAt: string;
            /** @description Who caused it. */
            actor: string;
            data: Record<string, unknown>;
            sessionId: string;
        };
        TenantEventPageView: {
            /** @description Can be fewer than `first`, or none, before the end: a filter looks far. */
            events: components["schemas"]["TenantEventView"][];
            /** @description Give it as `after` for the next page. */
            next: string;
            /** @description Nothing was left at that moment. */
            caughtUp: boolean;
        };
        FactBody: {
            /** @description Names the fact; recording it again amends it. */
            factId: string;
            /**
             * @description What kind of fact.
             * @enum {string}
             */
            kind: "goal" | "constraint" | "decision" | "plan" | "progress" | "amount" | "path" | "question" | "artifact" | "note";
            /** @description Kept word for word. */
            text: string;
            /** @description The fact holds no longer. */
            retired?: boolean;
        };
        RecordFactsBody: {
            /** @description New and changed facts. */
            facts: components["schemas"]["FactBody"][];
        };
        FactView: {
            factId: string;
            /** @description Counts from 1; no version is given twice in a session. */
            version: number;
            /** @enum {string} */
            kind: "goal" | "constraint" | "decision" | "plan" | "progress" | "amount" | "path" | "question" | "artifact" | "note";
            /** @description As it was recorded, word for word. */
            text: string;
            /** @description It holds no longer. */
            retired: boolean;
            /** @description {sessionId, revision} of the event. */
            at: Record<string, unknown>;
            /** Format: date-time */
            recordedAt: string;
            /** @description Who recorded it. */
            actor: string;
        };
        FactListView: {
            facts: components["schemas"]["FactView"][];
        };
        FactVersionView: {
            factId: string;
            /** @description Counts from 1; no version is given twice in a session. */
            version: number;
            /** @enum {string} */
            kind: "goal" | "constraint" | "decision" | "plan" | "progress" | "amount" | "path" | "question" | "artifact" | "note";
            /** @description As it was recorded, word for word. */
            text: string;
            /** @description It holds no longer. */
            retired: boolean;
            /** @description {sessionId, revision} of the event. */
            at: Record<string, unknown>;
            /** Format: date-time */
            recordedAt: string;
            /** @description Who recorded it. */
            actor: string;
            /** @description A revert has taken it out. */
            hidden: boolean;
        };
        FactHistoryView: {
            factId: string;
            /** @description What holds now, if anything. */
            current?: components["schemas"]["FactView"];
            /** @description The newest first. */
            versions: components["schemas"]["FactVersionView"][];
            /** @description How many older versions there are. */
            more: number;
        };
        EraseSessionBody: {
            /**
             * @description Why: somebody whose data it is has asked, its time is over, or something else.
             * @enum {string}
             */
            reason: "dataSubject" | "retention" | "other";
            /**
             * @description What becomes of forks and child sessions: `refuse` erases nothing while the session has forks, `erase` erases them all with it.
             * @enum {string}
             */
            descendants?: "refuse" | "erase";
            /** @description Erase although calls have no known outcome: what is known of them is lost. */
            acknowledgeUnknown?: boolean;
        };
        ExportBeforeView: {
            /** @description Of an audit export. */
            exportId?: string;
            /**
             * @description `audit`: of events, readable; `store`: of the whole store, encrypted.
             * @enum {string}
             */
            kind: "audit" | "store";
            at: string;
            actor: string;
            /**
             * @description `underWay`: nobody has said that it was finished; it may have been given up.
             * @enum {string}
             */
            status: "finished" | "underWay";
        };
        ErasureView: {
            sessionId: string;
            /**
             * @description `pending`: nothing of it is read any more, and destroying it goes on by itself.
             * @enum {string}
             */
            status: "done" | "pending";
            /** @description From then on no content was answered. */
            erasedAt: string;
            /** @description Sessions that are erased with it. */
            descendants: string[];
            /** @description Child sessions that were left: they have contents of their own. */
            children: string[];
            /** @description Copies that were handed out while the session had its content, and that nobody can call back. */
            exports: components["schemas"]["ExportBeforeView"][];
            /** @description Artifacts that were deleted. */
            artifacts?: number;
            completedAt?: string;
            /** @description Until then backups of the keys have to be gone: one of them could undo it. */
            keyBackupsExpireAt?: string;
        };
        ForkSessionBody: {
            /** @description The last revision that stays. Give this or `messageId`. */
            at?: number;
            /** @description Of a fork: the ancestor whose revision `at` is. Default: the session that is named in the path. */
            atSession?: string;
            /** @description A message of the conversation, a user's or an answer; see `side`. */
            messageId?: string;
            /**
             * @description before: what comes before the message stays. through: the message stays too, an answer with the results of its tool calls. With `at`: a revision between an answer and the results of its calls is moved to the start or the end of that group; by default it stays where it is.
             * @enum {string}
             */
            side?: "before" | "through";
            /** @description Make it yourself to be able to retry. Default: made of the Idempotency-Key, or a new UUID. */
            forkId?: string;
            /** @description Shown in lists. */
            title?: string;
            /** @description In place of the parent's labels. */
            labels?: {
                [key: string]: string;
            };
            /**
             * @description As for a new session.
             * @enum {string}
             */
            recoveryMode?: "auto" | "manual";
        };
        RevertSessionBody: {
            /** @description The last revision that stays. Give this or `messageId`. */
            at?: number;
            /** @description Of a fork: the ancestor whose revision `at` is. Default: the session that is named in the path. */
            atSession?: string;
            /** @description A message of the conversation, a user's or an answer; see `side`. */
            messageId?: string;
            /**
             * @description before: what comes before the message stays. through: the message stays too, an answer with the results of its tool calls. With `at`: a revision between an answer and the results of its calls is moved to the start or the end of that group; by default it stays where it is.
             * @enum {string}
             */
            side?: "before" | "through";
            /**
             * @description Accepted inputs behind the place that no model has read. refuse: do nothing and name them. keep: those that still wait go on waiting. drop: those that wait are withdrawn, delivered ones are hidden.
             * @enum {string}
             */
            unseenInputs?: "refuse" | "keep" | "drop";
        };
        RevertView: {
            /** @description The session that was written. */
            sessionId: string;
            /** @description Revision of the command's last event; also the ETag. */
            revision: number;
            /**
             * @description Give it to a read as `atLeast` to see this write.
             * @example 42
             */
            position: string;
            /** @description The same command was done before; this is its answer. */
            replayed: boolean;
            /** @description A repeated id came with other content; the first one stays. */
            payloadDiffers: boolean;
            /** @description Secrets that were masked in what was stored, or noted: read it back. */
            redactions?: number;
            /** @description {sessionId, revision} of the last event that stays. */
            to: Record<string, unknown>;
            /** @description Writes of the hidden part that took effect, or may have. They are not undone. */
            effects: components["schemas"]["CallView"][];
            /** @description How many more of them there are than are listed. */
            moreEffects: number;
            /** @description One sentence for people. */
            note: string;
        };
        ComparisonView: {
            /** @description False: they have no event in common. */
            related: boolean;
            /** @description {events, upTo, segments}: the history that both have, to its last event. */
            common: Record<string, unknown>;
            /** @description What this session has after it: {sessionId, revision, items, next, counts, cost, complete}. Costs are those that were recorded when the model calls were settled. */
            one: Record<string, unknown>;
            /** @description What the other session has after it. */
            other: Record<string, unknown>;
            /** @description {factId, one, other}: facts whose words are not the same in both. */
            facts: Record<string, unknown>[];
            /** @description One sentence for people. */
            note: string;
        };
        FoundCallView: {
            callId: string;
            /** @description The provider's id of the call. */
            providerCallId?: string;
            tool: string;
            /** @enum {string} */
            effect: "readOnly" | "keyedWrite" | "queryableWrite" | "opaqueWrite";
            /** @description State of the call; unknown is never "failed". */
            state: string;
            /** @description Operation key: ask the target by it. */
            opKey: string;
            /** @description Attempts that were permitted so far. */
            attempts: number;
            /** @description Why the outcome is unknown. */
            unknownReason?: string;
            /** @description The target's id of the operation. */
            externalRef?: string;
            /** @description Attempt that may be started now. */
            nextAttempt?: number;
            /** @description Until when that attempt may start. */
            retryUntil?: string;
            /** @description The question that is open: name it in the decision. */
            escalationId?: string;
            /**
             * @description Whether it may be started, when somebody has to allow it.
             * @enum {string}
             */
            approval?: "pending" | "allow" | "deny";
            /** @description Who must decide. */
            asked?: string;
            /** @description By when. */
            decisionDueAt?: string;
            /** @description Of a call of unknown outcome, among the unresolved: what can be decided now. */
            decisions?: ("applied" | "notApplied" | "retry" | "compensate" | "abandon")[];
            /** @description The session that settles an inherited call. */
            originSessionId?: string;
            /** @description The call that undoes this one. */
            compensationCallId?: string;
            /** @description The call that this one undoes, as a person ordered. */
            compensates?: string;
            /** @description Probes recorded so far. */
            probes: number;
            sessionId: string;
        };
        FoundCallsView: {
            /** @description The newest first. */
            calls: components["schemas"]["FoundCallView"][];
        };
        CurrencyAmountView: {
            currency: string;
            /** @description In 10^-12 of the unit, exact. */
            amountPico: string;
            /** @description In units: exact, without an exponent. */
            amount: string;
            /** @description By where the price comes from. */
            bySource: {
                [key: string]: string;
            };
        };
        RecordedAmountView: {
            currency: string;
            /** @description In 10^-12 of the unit, exact. */
            amountPico: string;
            /** @description In units: exact, without an exponent. */
            amount: string;
        };
        AsRecordedView: {
            amounts: components["schemas"]["RecordedAmountView"][];
            unpricedCalls: number;
        };
        ImportedPartView: {
            calls: number;
            amounts: components["schemas"]["RecordedAmountView"][];
        };
        SeriesRowView: {
            /** @description One entry per currency. */
            amounts: components["schemas"]["CurrencyAmountView"][];
            calls: number;
            unpricedCalls: number;
            unpricedTokens: string;
            partialCalls: number;
            estimatedCalls: number;
            unknownUsageCalls: number;
            /** @description False when any call is unpriced, partial, estimated or unknown. */
            complete: boolean;
            /** @description Tokens by bucket. */
            usage: {
                [key: string]: string;
            };
            /** @description What is billed by the piece. */
            counts: {
                [key: string]: string;
            };
            repricedCalls: number;
            /** @description Without the re-pricings. */
            asRecorded?: components["schemas"]["AsRecordedView"];
            /** @description The part of it that was imported, so not spent here. */
            imported?: components["schemas"]["ImportedPartView"];
            /** @description Of the zone. */
            day?: string | null;
            /** @description When it begins. */
            dayStart?: string | null;
            provider?: string | null;
            model?: string | null;
            user?: string | null;
            session?: string | null;
            /** @description Name of the label. */
            label?: string;
            /** @description Value of the label. */
            value?: string | null;
        };
        FiguresView: {
            /** @description One entry per currency. */
            amounts: components["schemas"]["CurrencyAmountView"][];
            calls: number;
            unpricedCalls: number;
            unpricedTokens: string;
            partialCalls: number;
            estimatedCalls: number;
            unknownUsageCalls: number;
            /** @description False when any call is unpriced, partial, estimated or unknown. */
            complete: boolean;
            /** @description Tokens by bucket. */
            usage: {
                [key: string]: string;
            };
            /** @description What is billed by the piece. */
            counts: {
                [key: string]: string;
            };
            repricedCalls: number;
            /** @description Without the re-pricings. */
            asRecorded?: components["schemas"]["AsRecordedView"];
            /** @description The part of it that was imported, so not spent here. */
            imported?: components["schemas"]["ImportedPartView"];
        };
        AsOfView: {
            /** @description Everything up to this position of the log is in it. */
            position: string;
            /** @description The position that was asked for has not been reached in time. */
            stale: boolean;
        };
        CostSeriesView: {
            zone: string;
            /** @description Version of the time zone data. */
            zoneData: string;
            /** Format: date-time */
            from?: string;
            /** Format: date-time */
            to?: string;
            /** @description By day, then by group. */
            rows: components["schemas"]["SeriesRowView"][];
            /** @description Exactly the sum of the rows. */
            total: components["schemas"]["FiguresView"];
            asOf: components["schemas"]["AsOfView"];
        };
        ModelFiguresView: {
            /** @description One entry per currency. */
            amounts: components["schemas"]["CurrencyAmountView"][];
            calls: number;
            unpricedCalls: number;
            unpricedTokens: string;
            partialCalls: number;
            estimatedCalls: number;
            unknownUsageCalls: number;
            /** @description False when any call is unpriced, partial, estimated or unknown. */
            complete: boolean;
            /** @description Tokens by bucket. */
            usage: {
                [key: string]: string;
            };
            /** @description What is billed by the piece. */
            counts: {
                [key: string]: string;
            };
            repricedCalls: number;
            /** @description Without the re-pricings. */
            asRecorded?: components["schemas"]["AsRecordedView"];
            /** @description The part of it that was imported, so not spent here. */
            imported?: components["schemas"]["ImportedPartView"];
            provider: string | null;
            model: string | null;
        };
        PurposeFiguresView: {
            /** @description One entry per currency. */
            amounts: components["schemas"]["CurrencyAmountView"][];
            calls: number;
            unpricedCalls: number;
            unpricedTokens: string;
            partialCalls: number;
            estimatedCalls: number;
            unknownUsageCalls: number;
            /** @description False when any call is unpriced, partial, estimated or unknown. */
            complete: boolean;
            /** @description Tokens by bucket. */
            usage: {
                [key: string]: string;
            };
            /** @description What is billed by the piece. */
            counts: {
                [key: string]: string;
            };
            repricedCalls: number;
            /** @description Without the re-pricings. */
            asRecorded?: components["schemas"]["AsRecordedView"];
            /** @description The part of it that was imported, so not spent here. */
            imported?: components["schemas"]["ImportedPartView"];
            purpose: string;
        };
        EdgeFiguresView: {
            subagent: components["schemas"]["FiguresView"];
            continuation: components["schemas"]["FiguresView"];
            fork: components["schemas"]["FiguresView"];
        };
        ChildCostView: {
            sessionId: string;
            /** @enum {string} */
            edge: "subagent" | "continuation" | "fork";
            own: components["schemas"]["FiguresView"];
            inclusive: components["schemas"]["FiguresView"];
        };
        CostAsOfView: {
            /** @description Everything up to this position of the log is in it. */
            position: string;
            /** @description The position that was asked for has not been reached in time. */
            stale: boolean;
            /**
             * Format: date-time
             * @description The moment that was asked for.
             */
            time?: string;
        };
        SessionCostView: {
            sessionId: string;
            /** @description False: only children of this session have been seen. */
            known: boolean;
            parentId?: string;
            /** @enum {string} */
            edge?: "subagent" | "continuation" | "fork";
            /** @description The session's own calls. */
            own: components["schemas"]["FiguresView"];
            /** @description All sessions below it. */
            descendants: components["schemas"]["FiguresView"];
            /** @description Both. */
            inclusive: components["schemas"]["FiguresView"];
            /** @description Most calls first. */
            byModel: components["schemas"]["ModelFiguresView"][];
            byPurpose: components["schemas"]["PurposeFiguresView"][];
            /** @description The descendants, each in one part. */
            byEdge: components["schemas"]["EdgeFiguresView"];
            /** @description The split that was asked for: its head, own, descendants and inclusive. */
            groups?: Record<string, unknown>[];
            /** @description The first 50 direct children. */
            children: components["schemas"]["ChildCostView"][];
            /** @description For the further ones: `after` of …/cost/children. */
            cursor?: string;
            /** @description There are more, which can be listed only as of now. */
            childrenCut?: boolean;
            asOf: components["schemas"]["CostAsOfView"];
        };
        ChildCostListView: {
            /** @description The earliest first. */
            children: components["schemas"]["ChildCostView"][];
            /** @description Give it as `after` for the next page. */
            cursor?: string;
            asOf: components["schemas"]["AsOfView"];
        };
        ReportedByView: {
            sessionId: string;
            revision: number;
        };
        CallCostView: {
            position: string;
            /** Format: date-time */
            recordedAt: string;
            /** @description The event that says it. */
            reportedBy: components["schemas"]["ReportedByView"];
            callKey: string;
            /** @enum {string} */
            change: "added" | "takenBack";
            purpose: string;
            provider: string | null;
            model: string | null;
            labels: {
                [key: string]: string;
            };
            modelCallId: string;
            /**
             * Format: date-time
             * @description When the call began.
             */
            startedAt?: string;
            runId?: string;
            /** @description 1 for the run's first claim. */
            attempt?: number;
            /** @description Why the run was claimed. */
            reason?: string;
            /** @description Author of the input that caused the run. */
            user?: string;
            figures: components["schemas"]["FiguresView"];
        };
        CallCostListView: {
            /** @description In the order in which it was written. */
            entries: components["schemas"]["CallCostView"][];
            /** @description Give it as `after` for the next page. */
            cursor?: string;
            asOf: components["schemas"]["AsOfView"];
        };
        ConversationItemView: {
            /** @enum {string} */
            kind: "user" | "assistant" | "toolCall" | "compaction" | "facts" | "revert" | "revertCleared";
            /** @description An ancestor's in the inherited part of a fork. */
            sessionId: string;
            /** @description Where it stands in the log of that session. */
            revision: number;
            /** @description Of the content. */
            bytes: number;
            /** @description How the content begins. */
            preview: string;
            /** @description A revert took it out. */
            hidden: boolean;
            /** @description What was said, as it stands in the events. */
            content?: Record<string, unknown>;
            messageId?: string;
            inputId?: string;
            modelCallId?: string;
            model?: string;
            /** @description No more parts of this message will come. */
            final?: boolean;
            callId?: string;
            tool?: string;
            /** @description State of the call. */
            status?: string;
            compactionId?: string;
            factIds?: string[];
            /** @description The event with the content of an input. */
            contentRevision?: number;
            /** @description Events with the parts of a message. */
            parts?: number[];
            /** @description Since when the status holds. */
            statusRevision?: number;
            startedRevision?: number;
            resultRevision?: number;
            resultBytes?: number;
            /** @description What a compaction keeps, from here on. */
            keptFrom?: Record<string, unknown>;
            /** @enum {string} */
            trigger?: "auto" | "manual" | "imported";
            /** @description What a revert shows again, up to here. */
            to?: Record<string, unknown>;
            /** @description The revert that was cleared. */
            revertedAt?: number;
            /** @description Contradictions that came after the outcome. */
            conflicts: Record<string, unknown>[];
        };
        ConversationView: {
            items: components["schemas"]["ConversationItemView"][];
            /** @description Give it as `after` for the next page. */
            cursor?: string;
            asOf: components["schemas"]["AsOfView"];
        };
        AcceptInputBody: {
            /** @description Make it yourself to be able to retry. Default: made of the Idempotency-Key, or a new UUID. */
            inputId?: string;
            /** @description Text, or a list of text, image and document blocks. */
            content: string | Record<string, unknown>[];
            /**
             * @description Only "user"; here so that a system message gets advice instead of a place.
             * @enum {string}
             */
            role?: "user";
            /**
             * @description steer: at the next model call. queue: a run of its own, when this one is over.
             * @enum {string}
             */
            delivery?: "steer" | "queue";
            /** @description false: only leave it here; wake no worker and lift no stop. */
            resume?: boolean;
        };
        InputReceiptView: {
            /** @description The session that was written. */
            sessionId: string;
            /** @description Revision of the command's last event; also the ETag. */
            revision: number;
            /**
             * @description Give it to a read as `atLeast` to see this write.
             * @example 42
             */
            position: string;
            /** @description The same command was done before; this is its answer. */
            replayed: boolean;
            /** @description A repeated id came with other content; the first one stays. */
            payloadDiffers: boolean;
            /** @description Secrets that were masked in what was stored, or noted: read it back. */
            redactions?: number;
            inputId: string;
            /** @description Status of the session with this input. */
            status: string;
        };
        ChangeDeliveryBody: {
            /**
             * @description steer: at the next model call. queue: a run of its own, when this one is over.
             * @enum {string}
             */
            delivery: "steer" | "queue";
        };
        KeyView: {
            keyId: string;
            name: string;
            roles: ("reader" | "writer" | "worker" | "operator" | "auditor" | "eraser" | "admin")[];
            addedBy: string;
            /** Format: date-time */
            addedAt: string;
            /** Format: date-time */
            expiresAt: string;
            /** @description The key that this one takes over from. */
            replaces?: string;
            /** Format: date-time */
            revokedAt?: string;
            /**
             * Format: date
             * @description To the day, in UTC.
             */
            lastUsedOn?: string;
        };
        KeyListView: {
            keys: components["schemas"]["KeyView"][];
        };
        AddAccessKeyBody: {
            /**
             * @description What people call it: the program or the person that gets it.
             * @example support agents
             */
            name: string;
            /** @description What it may do; the scopes of all its roles together. */
            roles: ("reader" | "writer" | "worker" | "operator" | "auditor" | "eraser" | "admin")[];
            /** @description Days until it opens nothing any more. */
            expiresInDays?: number;
        };
        GivenKeyView: {
            keyId: string;
            name: string;
            roles: ("reader" | "writer" | "worker" | "operator" | "auditor" | "eraser" | "admin")[];
            addedBy: string;
            /** Format: date-time */
            addedAt: string;
            /** Format: date-time */
            expiresAt: string;
            /** @description The key that this one takes over from. */
            replaces?: string;
            /** Format: date-time */
            revokedAt?: string;
            /**
             * Format: date
             * @description To the day, in UTC.
             */
            lastUsedOn?: string;
            /** @description The key itself. It is shown this once and kept nowhere. */
            key: string;
        };
        RotateAccessKeyBody: {
            /** @description Hours for which the old key is good, too; 0: it ends at once. */
            overlapHours?: number;
            /** @description Days until the new key opens nothing any more. */
            expiresInDays?: number;
        };
        StartModelCallBody: {
            /** @description Epoch of your claim. */
            epoch: number;
            /** @description The secret that you made for your claim; only its hash is stored. */
            claimToken: string;
            /** @description Make it yourself to be able to retry. Default: made of the Idempotency-Key, or a new UUID. */
            modelCallId?: string;
            /** @description Id of the message that this call will produce. Default: a new UUID. */
            messageId?: string;
            /**
             * @description What the call is for.
             * @enum {string}
             */
            purpose?: "turn" | "compaction" | "title" | "eval" | "advisor" | "other";
            /** @description Provider: anthropic, openai, … */
            provider?: string;
            /** @description The model asked for. */
            model?: string;
            /** @description The service tier asked for. */
            tier?: string;
            /** @description Tokens of the prompt: `estimatedTokens` of the context. Budgets hold it, and where the provider counts more, later estimates for the model are higher. Default of budgets: what the conversation had after the last answer. */
            inputTokens?: number;
            /** @description The most output that you ask the provider for: what budgets hold for it. Default: 4096. */
            maxOutputTokens?: number;
            /** @description How long its answer may take, in milliseconds. Default: 600000. A run whose owner records nothing after that is quarantined (budget `noProgress`). */
            timeoutMs?: number;
            /** @description From the context that is sent: `contextId`. */
            contextId?: string;
            /** @description From the context that is sent: `inputRevision`. Default: now. */
            inputRevision?: number;
            /** @description From the context that is sent: `delivers`. These waiting inputs become messages. */
            delivers?: string[];
        };
        ModelCallStartedView: {
            /** @description The session that was written. */
            sessionId: string;
            /** @description Revision of the command's last event; also the ETag. */
            revision: number;
            /**
             * @description Give it to a read as `atLeast` to see this write.
             * @example 42
             */
            position: string;
            /** @description The same command was done before; this is its answer. */
            replayed: boolean;
            /** @description A repeated id came with other content; the first one stays. */
            payloadDiffers: boolean;
            /** @description Secrets that were masked in what was stored, or noted: read it back. */
            redactions?: number;
            modelCallId: string;
            /** @description Id of the message that this call will produce. */
            messageId: string;
            /** @description Up to which revision the model sees the log. */
            inputRevision: number;
        };
        RecordAssistantMessageBody: {
            /** @description Epoch of your claim. */
            epoch: number;
            /** @description The secret that you made for your claim; only its hash is stored. */
            claimToken: string;
            /** @description Number of this part, from 0. */
            part?: number;
            /** @description false while more parts of this message may follow. */
            final?: boolean;
            /** @description Default: that of the model call. */
            provider?: string;
            /** @description Whose words the provider blocks are in: a format of the context, such as ai-sdk. They go back in contexts of that format. Default: the provider's own API. */
            api?: string;
            /** @description The model that answered. */
            model?: string;
            /** @description Finished blocks in order: {type: "text", text}, {type: "toolCall", tool, providerCallId?, args | argsText}, {type: "provider", block} (kept and replayed verbatim). */
            blocks: Record<string, unknown>[];
        };
        MessageView: {
            /** @description The session that was written. */
            sessionId: string;
            /** @description Revision of the command's last event; also the ETag. */
            revision: number;
            /**
             * @description Give it to a read as `atLeast` to see this write.
             * @example 42
             */
            position: string;
            /** @description The same command was done before; this is its answer. */
            replayed: boolean;
            /** @description A repeated id came with other content; the first one stays. */
            payloadDiffers: boolean;
            /** @description Secrets that were masked in what was stored, or noted: read it back. */
            redactions?: number;
            /** @description The calls that the model asked for. */
            calls: components["schemas"]["CallView"][];
        };
        SettleModelCallBody: {
            /** @description Epoch of your claim. */
            epoch: number;
            /** @description The secret that you made for your claim; only its hash is stored. */
            claimToken: string;
            /**
             * @description completed: the answer is whole. notSent: it provably never left. providerError: refused before any output. stopped: aborted on request.
             * @enum {string}
             */
            outcome?: "completed" | "notSent" | "providerError" | "stopped";
            /** @description The provider's response body as it is. Message, tool calls, usage and cost are read from it. */
            response?: Record<string, unknown>;
            /** @description The message in neutral blocks, instead of `response`. */
            message?: Record<string, unknown>[];
            /** @description The provider's usage object, when there is no `response`. */
            usage?: Record<string, unknown>;
            /** @description The provider's id of the response; names the request for costs. */
            responseId?: string;
            /** @description The model that answered. */
            model?: string;
            /** @description Shape of `response` or `usage`, when it cannot be seen: messages, chat, … */
            api?: string;
            /** @description The provider's error. */
            error?: string;
        };
        SettledView: {
            /** @description The session that was written. */
            sessionId: string;
            /** @description Revision of the command's last event; also the ETag. */
            revision: number;
            /**
             * @description Give it to a read as `atLeast` to see this write.
             * @example 42
             */
            position: string;
            /** @description The same command was done before; this is its answer. */
            replayed: boolean;
            /** @description A repeated id came with other content; the first one stays. */
            payloadDiffers: boolean;
            /** @description Secrets that were masked in what was stored, or noted: read it back. */
            redactions?: number;
            /** @description The calls that the model asked for. */
            calls: components["schemas"]["CallView"][];
            /** @description State of the usage: final, partial, estimated, unknown. */
            usageState?: string;
            /** @description Exact cost in units of the currency; null when not known. */
            cost: string | null;
            /** @description Currency of the cost. */
            currency?: string;
        };
        ReportModelUsageBody: {
            /** @description The provider's response body, or its usage object as {usage}. */
            response: Record<string, unknown>;
            /**
             * @description final: the provider's last word. partial: counts from before the end, a lower bound. estimated: counted by a program that `method` names.
             * @enum {string}
             */
            state?: "final" | "partial" | "estimated";
            /** @description How an estimate was made. */
            method?: string;
            /** @description The provider's id of the response, when the body does not name it. */
            responseId?: string;
            /** @description The model that answered. */
            model?: string;
            /** @description Shape of the body, when it cannot be seen: messages, chat, … */
            api?: string;
            /** @description Who counted. Default: the sender. */
            reporter?: string;
        };
        ReportedUsageView: {
            /** @description The session that was written. */
            sessionId: string;
            /** @description Revision of the command's last event; also the ETag. */
            revision: number;
            /**
             * @description Give it to a read as `atLeast` to see this write.
             * @example 42
             */
            position: string;
            /** @description The same command was done before; this is its answer. */
            replayed: boolean;
            /** @description A repeated id came with other content; the first one stays. */
            payloadDiffers: boolean;
            /** @description Secrets that were masked in what was stored, or noted: read it back. */
            redactions?: number;
            /** @description False: what is recorded is as good or better, and stays. */
            counted: boolean;
            /** @description Exact cost in units of the currency; null when not known. */
            cost: string | null;
            /** @description Currency of the cost. */
            currency?: string;
        };
        QuotePricesBody: {
            /** @description A provider's response body as it is, or its usage object as {usage}. */
            response: Record<string, unknown>;
            /** @description Provider: anthropic, openai, … Not given: the one that makes the model. */
            provider?: string;
            /** @description Shape of the body, when it cannot be seen: messages, chat, responses, … */
            api?: string;
            /** @description The model asked for; the one that the body names counts before it. */
            model?: string;
            /** @description The service tier asked for: batch, flex, … What the body names counts before it. */
            tier?: string;
            /**
             * Format: date-time
             * @description When the call started; prices are dated. Default: now.
             */
            at?: string;
        };
        PriceSourceView: {
            /** @description Where the price is from. */
            name: string;
            url?: string;
            commit?: string;
            /** @description When it was read there. */
            readOn?: string;
            licence?: string;
            /** @description Who entered it. */
            enteredBy: string;
        };
        PriceCardView: {
            cardId: string;
            version: number;
            /** @description The version that this one replaces. */
            supersedes?: number;
            provider: string;
            /** @description Prices only calls from this region. */
            region?: string;
            /** @description {id, aliases?, snapshotsOf?}: which models it prices. */
            models: Record<string, unknown>;
            /** @description Pico-units of the currency per million tokens, by bucket, as decimal text. */
            rates: Record<string, unknown>;
            /** @description Pico-units each, by count. */
            fees?: Record<string, unknown>;
            /** @description {above, inclusive, rates}: other rates for requests with a larger input. */
            contextTiers?: Record<string, unknown>[];
            /** @description By tier: rates of its own, or a factor on all rates. */
            serviceTiers?: Record<string, unknown>;
            /** @description {regions?, exceptRegions?, factor}: factors on all rates in some regions. */
            uplift?: Record<string, unknown>[];
            /** @description {from, until, zone, weekdays?, rates}: rates at certain times of day. */
            windows?: Record<string, unknown>[];
            /** Format: date-time */
            effectiveFrom?: string;
            /** Format: date-time */
            effectiveUntil?: string;
            currency: string;
            /**
             * @description Built in, or your own.
             * @enum {string}
             */
            status: "catalogue" | "override";
            sources: components["schemas"]["PriceSourceView"][];
        };
        QuotedCallView: {
            callId?: string;
            /** @description Of a call that is billed on top of the response. */
            purpose?: string;
            model?: string;
            /** @description {state, buckets, counts, flags, inputTokens, outputTokens, totalTokens}; a token is in exactly one bucket. */
            usage: Record<string, unknown>;
            /** @description As it is recorded: {amountPico, amount, currency, source, cardId, cardVersion, match, rates, …}. Not known is amountPico null with a reason, which is not 0. */
            cost: Record<string, unknown>;
            /** @description The card that priced it. */
            card?: components["schemas"]["PriceCardView"];
        };
        QuoteTotalView: {
            /** @description {currency, amountPico, amount}; currencies are never added to each other. */
            amounts: Record<string, unknown>[];
            calls: number;
            /** @description Calls with usage and without a price: in no amount. */
            unpricedCalls: number;
            /** @description Their tokens. */
            unpricedTokens: string;
            unknownUsageCalls: number;
            /** @description Every call has a final usage and a price. */
            complete: boolean;
        };
        PriceQuoteView: {
            /**
             * Format: date-time
             * @description The instant that the prices hold for.
             */
            at: string;
            /** @description The shape that was recognised. */
            shape?: string;
            responseId?: string;
            model?: string;
            /** @description The response itself, then what is billed on top of it. */
            calls: components["schemas"]["QuotedCallView"][];
            total: components["schemas"]["QuoteTotalView"];
        };
        PriceCardListView: {
            /** @description Your own first: they are searched before the built-in ones. */
            cards: components["schemas"]["PriceCardView"][];
            /** @description How many cards the filter names. */
            total: number;
            /** @description Give it as `after` for the next page. */
            cursor?: string;
        };
        AddPriceCardsBody: {
            /** @description Price cards: {cardId, version, supersedes?, provider, region?, models: {id, aliases?, snapshotsOf?}, rates, fees?, contextTiers?, serviceTiers?, uplift?, windows?, effectiveFrom?, effectiveUntil?, currency, sources: [{name, url?, …}]}. Rates are whole pico-units of the currency per million tokens, fees per unit, both as decimal text. A change is a new version that supersedes the newest one. */
            cards: Record<string, unknown>[];
        };
        AddedCardView: {
            cardId: string;
            version: number;
            /** @description False: it was there already, with the same content. */
            added: boolean;
        };
        AddedCardsView: {
            cards: components["schemas"]["AddedCardView"][];
        };
        RepriceCallsBody: {
            /** @description Names this re-pricing in the events. The same one again goes on where it ended. */
            repricingId: string;
            /** @description Why; it is kept with every call that changes. */
            reason: string;
            /** @description Only this session. Default: all. */
            sessionId?: string;
            /** @description With `sessionId`: also all sessions below it. */
            tree?: boolean;
            /** @description Only of this provider. */
            provider?: string;
            /** @description Only of this model, exactly. */
            model?: string;
            /** @description Only what this card priced. */
            cardId?: string;
            /**
             * Format: date-time
             * @description Only calls that started then or later.
             */
            from?: string;
            /**
             * Format: date-time
             * @description Only calls that started before.
             */
            to?: string;
            /** @description Only calls that have no price. */
            unpricedOnly?: boolean;
            /** @description Only say what would change. */
            dryRun?: boolean;
            /** @description To go on: `next` of the answer before. */
            after?: string;
        };
        AmountView: {
            currency: string;
            /** @description Whole pico-units, as text. */
            amountPico: string;
            /** @description The same in units: exact. */
            amount: string;
        };
        RepricedCallView: {
            sessionId: string;
            modelCallId: string;
            /** @description {amountPico, currency, source, cardId?, cardVersion?}: what it cost until now. */
            before: Record<string, unknown>;
            /** @description What it costs now, with card and rates. */
            cost: Record<string, unknown>;
        };
        RepricingView: {
            repricingId: string;
            /** @description True: nothing was written. */
            dryRun: boolean;
            /** @description Calls that changed, or would change. */
            calls: number;
            /** @description Sessions that they are in. */
            sessions: number;
            /** @description What these calls cost before. */
            before: components["schemas"]["AmountView"][];
            /** @description Of these calls: those that had no price. */
            unpricedBefore: number;
            /** @description What they cost after. */
            after: components["schemas"]["AmountView"][];
            /** @description Other calls in this part of the log: still without a price. */
            leftUnpriced: number;
            /** @description The first of them. */
            changes: components["schemas"]["RepricedCallView"][];
            /** @description There is more: send this as `after`. */
            next?: string;
        };
        OpenCallView: {
            callId: string;
            /** @description The provider's id of the call. */
            providerCallId?: string;
            tool: string;
            /** @enum {string} */
            effect: "readOnly" | "keyedWrite" | "queryableWrite" | "opaqueWrite";
            /** @description State of the call; unknown is never "failed". */
            state: string;
            /** @description Operation key: ask the target by it. */
            opKey: string;
            /** @description Attempts that were permitted so far. */
            attempts: number;
            /** @description Why the outcome is unknown. */
            unknownReason?: string;
            /** @description The target's id of the operation. */
            externalRef?: string;
            /** @description Attempt that may be started now. */
            nextAttempt?: number;
            /** @description Until when that attempt may start. */
            retryUntil?: string;
            /** @description The question that is open: name it in the decision. */
            escalationId?: string;
            /**
             * @description Whether it may be started, when somebody has to allow it.
             * @enum {string}
             */
            approval?: "pending" | "allow" | "deny";
            /** @description Who must decide. */
            asked?: string;
            /** @description By when. */
            decisionDueAt?: string;
            /** @description Of a call of unknown outcome, among the unresolved: what can be decided now. */
            decisions?: ("applied" | "notApplied" | "retry" | "compensate" | "abandon")[];
            /** @description The session that settles an inherited call. */
            originSessionId?: string;
            /** @description The call that undoes this one. */
            compensationCallId?: string;
            /** @description The call that this one undoes, as a person ordered. */
            compensates?: string;
            /** @description Probes recorded so far. */
            probes: number;
            /**
             * Format: date-time
             * @description When something happens to it without anybody.
             */
            dueAt?: string;
        };
        ReconciliationView: {
            sessionId: string;
            /**
             * @description Why it is not forgotten. unaccounted: a defect of Holdfast; report it.
             * @enum {string}
             */
            class: "owned" | "scheduled" | "waiting" | "resting" | "unaccounted";
            /** @description Who owns it. */
            by?: string;
            /** @description Whom it waits for. */
            for?: string;
            /**
             * Format: date-time
             * @description Until when.
             */
            dueAt?: string;
            /** @description Its stored events are damaged, and nobody can go on with it. */
            damage?: string;
            /** @description Calls without a final outcome. */
            calls: components["schemas"]["OpenCallView"][];
        };
        ReconciliationsView: {
            sessions: components["schemas"]["ReconciliationView"][];
        };
        OpenCallEntryView: {
            sessionId: string;
            callId: string;
            tool: string;
            /** @enum {string} */
            effect: "readOnly" | "keyedWrite" | "queryableWrite" | "opaqueWrite";
            state: string;
            /**
             * Format: date-time
             * @description Since when it is known so.
             */
            since: string;
            opKey: string;
            externalRef?: string;
            /** @description Why its outcome is unknown. */
            unknownReason?: string;
            attempts: number;
            probes: number;
            /** @description The newest evidence: kind, sentAt, verdict. */
            lastProbe?: Record<string, unknown>;
            /** @enum {string} */
            question?: "outcome" | "approval";
            /** @description Who has to decide. */
            asked?: string;
            /**
             * Format: date-time
             * @description By when.
             */
            decisionDueAt?: string;
            /** @description Name it in the decision. */
            escalationId?: string;
            /** @description The session that settles it. */
            originSessionId?: string;
            /** @description The call that this one undoes. */
            compensates?: string;
        };
        OpenCallsView: {
            /** @description The oldest first. */
            calls: components["schemas"]["OpenCallEntryView"][];
        };
        BudgetCrossingView: {
            /** @enum {string} */
            threshold: "warn" | "stop";
            /** @description The threshold as it was set. */
            limit: string;
            /** @description What was spent then. */
            spent: string;
            /** Format: date-time */
            at: string;
            sessionId?: string;
            modelCallId?: string;
            /** @description What a refused call might have cost. */
            refused?: string;
        };
        BudgetView: {
            budgetId: string;
            /** @description Whose model calls count: {kind, …}. */
            scope: Record<string, unknown>;
            /** @enum {string} */
            period: "none" | "day" | "month";
            /** @description IANA time zone. */
            zone: string;
            currency: string;
            amount: string;
            warnAt?: string;
            /** @enum {string} */
            onUnpriced: "deny" | "allow";
            setBy: string;
            /** @description The day or month that the figures are of. */
            current?: string;
            spent: string;
            /** @description Held for calls that run. */
            reserved: string;
            left: string;
            /** @description Calls that are charged. */
            calls: number;
            /** @description Of these: without a price, counted with what is certain. */
            unpricedCalls: number;
            runningCalls: number;
            /** @description Thresholds that were reached. */
            exceeded: components["schemas"]["BudgetCrossingView"][];
        };
        BudgetListView: {
            budgets: components["schemas"]["BudgetView"][];
        };
        SetBudgetBody: {
            /** @description Whose model calls count: {"kind": "tenant"}, {"kind": "tree", "sessionId"} (the session and everything below it), {"kind": "session", "sessionId"}, {"kind": "run", "sessionId", "runId"}, {"kind": "user", "user"} (the author of the input that caused the run), or {"kind": "label", "name", "value"}. */
            scope: {
                /** @enum {string} */
                kind?: "tenant" | "tree" | "session" | "run" | "user" | "label";
            } & {
                [key: string]: string;
            };
            /** @description What may be spent, in units of the currency, as text. */
            amount: string;
            /** @description An event is written when so much is spent; nothing stops. */
            warnAt?: string;
            /** @description ISO 4217. Only costs in this currency count. */
            currency?: string;
            /**
             * @description none: once and for all. day, month: anew each, of the calendar of `zone`.
             * @enum {string}
             */
            period?: "none" | "day" | "month";
            /** @description IANA time zone in which days and months begin. */
            zone?: string;
            /**
             * @description What becomes of a call whose price in this currency is not known. deny: refused. allow: let through, counted in `unpricedCalls`.
             * @enum {string}
             */
            onUnpriced?: "deny" | "allow";
        };
        RedactionPatternBody: {
            /** @description Stands in the mask. No name of a built-in rule. */
            name: string;
            /**
             * @description What to mask, in the syntax of RE2: no look-around, no back-references, so that it takes linear time on any text.
             * @example EMP-[0-9]{6}
             */
            pattern: string;
            /** @description Whether case makes no difference. */
            ignoreCase?: boolean;
        };
        RedactionView: {
            /** @enum {string} */
            entropy: "flag" | "mask";
            patterns: components["schemas"]["RedactionPatternBody"][];
            /** @description Rules that hold in every tenant. */
            knownRules: string[];
        };
        RedactionPolicyBody: {
            /**
             * @description Long random tokens next to words such as password, of no known form: flag only notes them, mask takes them out. A wrong mask destroys what a session says.
             * @enum {string}
             */
            entropy?: "flag" | "mask";
            /** @description Secrets of the tenant's own kinds; these are all that hold from then on. */
            patterns: components["schemas"]["RedactionPatternBody"][];
        };
        ClaimRunBody: {
            /** @description Name of the worker, shown to others while it holds the session. */
            workerId: string;
            /** @description A new random secret for this claim. Keep it: every owner request needs it. */
            claimToken: string;
            /** @description Id of a run that this claim starts. Default: a new UUID. */
            runId?: string;
            /**
             * @description compaction: a run without inputs, to compact a resting session.
             * @enum {string}
             */
            kind?: "agent" | "compaction";
            /** @description Operator: take it although its lease is live. */
            force?: boolean;
            /** @description Version of your agent program. A difference from the last claim is reported. */
            profileVersion?: string;
            /** @description The tools that you can call: no other gets a permit. Default: any. */
            toolNames?: string[];
            /** @description Go on although tools of open calls are missing or promise something else. */
            confirmDifferences?: boolean;
        };
        HeartbeatBody: {
            /** @description Epoch of your claim. */
            epoch: number;
            /** @description The secret that you made for your claim; only its hash is stored. */
            claimToken: string;
        };
        HeartbeatView: {
            /** Format: date-time */
            leaseExpiresAt: string;
            /** @description A user wants the run to stop: dispatch nothing more. */
            stopRequested: boolean;
        };
        CompleteRunBody: {
            /** @description Epoch of your claim. */
            epoch: number;
            /** @description The secret that you made for your claim; only its hash is stored. */
            claimToken: string;
        };
        FailRunBody: {
            /** @description Epoch of your claim. */
            epoch: number;
            /** @description The secret that you made for your claim; only its hash is stored. */
            claimToken: string;
            /** @description Kind of failure, for reports. */
            errorClass: string;
            /** @description What happened. */
            message: string;
        };
        InterruptRunBody: {
            /** @description Epoch of your claim. */
            epoch: number;
            /** @description The secret that you made for your claim; only its hash is stored. */
            claimToken: string;
        };
        ReleaseRunBody: {
            /** @description Epoch of your claim. */
            epoch: number;
            /** @description The secret that you made for your claim; only its hash is stored. */
            claimToken: string;
            /**
             * @description Why it is given back.
             * @enum {string}
             */
            reason: "waiting" | "handover";
            /** @description Whom or what it waits for. */
            waitingFor?: string;
        };
        StopRunBody: {
            /** @description Why, for the audit. */
            note?: string;
            /** @description Also drop the inputs that are waiting. */
            dropPendingInputs?: boolean;
        };
        StopView: {
            /** @description The session that was written. */
            sessionId: string;
            /** @description Revision of the command's last event; also the ETag. */
            revision: number;
            /**
             * @description Give it to a read as `atLeast` to see this write.
             * @example 42
             */
            position: string;
            /** @description The same command was done before; this is its answer. */
            replayed: boolean;
            /** @description A repeated id came with other content; the first one stays. */
            payloadDiffers: boolean;
            /** @description Secrets that were masked in what was stored, or noted: read it back. */
            redactions?: number;
            /** @enum {string} */
            state: "stopping" | "stopped";
            /** @description Calls that may have taken effect. */
            unresolved: components["schemas"]["CallView"][];
        };
        OwnedBody: {
            /** @description Epoch of your claim. */
            epoch: number;
            /** @description The secret that you made for your claim; only its hash is stored. */
            claimToken: string;
        };
        AgentProfileBody: {
            /** @description Name of the agent program. */
            name: string;
            /** @description Its version. */
            version: string;
            /** @description Model provider, as in OTel. */
            provider?: string;
            /** @description Model id. */
            model?: string;
            /** @description Settings that reproduce a run. No secrets. */
            settings?: Record<string, unknown>;
        };
        ToolBody: {
            /** @description The name that the model calls. */
            name: string;
            /**
             * @description What a repetition may do. Default: opaqueWrite.
             * @enum {string}
             */
            effect?: "readOnly" | "keyedWrite" | "queryableWrite" | "opaqueWrite";
            /** @description Hard time limit of one call. */
            timeoutMs?: number;
            /** @description Longest time after the start at which a request can still take effect. */
            maxFlightMs?: number;
            /** @description keyedWrite: how long the target remembers the operation key. */
            keyWindowMs?: number;
            /** @description Where the worker puts the operation key: {header: "Idempotency-Key"} or {body: "/key"}, a JSON pointer. Every keyedWrite says so; the permit repeats it. */
            keyField?: Record<string, unknown>;
            /** @description When "not found" proves that nothing happened. Absent: never. */
            notFoundIsFinalAfterMs?: number;
            /** @description The target can be asked for the outcome. */
            probe?: boolean;
            /** @description How the server asks the target by itself: {method, urlTemplate, headers?, rules: [{status, pointer?, equals? | in? | exists?, answer}], externalRefPointer?, graphql?}. See the guide on tools. */
            httpProbe?: Record<string, unknown>;
            /** @description Instead of httpProbe: the name of a probe that the program around Holdfast has given it. */
            namedProbe?: string;
            /** @description How the server makes an operation key unusable: {method, urlTemplate, headers?, voidedStatus}. */
            voidByKey?: Record<string, unknown>;
            /** @description Attempts of one call. */
            maxAttempts?: number;
            /** @description Status queries of one call. */
            maxProbes?: number;
            /** @description After "it did not happen": try again, or only tell the model. Default: try again. */
            retryWhenNotApplied?: boolean;
            /** @description The keyedWrite that undoes it, and does nothing where there is nothing to undo: a person can order it when the outcome is unknown. */
            compensate?: string;
            /** @description Undo what a run has done with it, without being asked, when that run fails. Default: only people order it. */
            compensateWhenRunFails?: boolean;
            /** @description Who must allow each call before its first attempt, within escalationDueMs. Absent: nobody. */
            approval?: string;
            /** @description Who is asked when nobody else can tell. Default: operator. */
            escalateTo?: string;
            /** @description How long that person has. */
            escalationDueMs?: number;
            /**
             * @description While an outcome is unknown: hold the run, or tell the model and go on.
             * @enum {string}
             */
            onUnknown?: "hold" | "tell";
            /** @description Larger results are refused. Default: 8 MiB. */
            resultBytesMax?: number;
            /** @description Masked in its arguments, results and evidence, and in the messages that call it, beyond what is masked everywhere: see the guide on secrets. */
            redact?: components["schemas"]["RedactionPatternBody"][];
            /** @description Skip an equal call while an earlier one has no known outcome. */
            twinGuard?: boolean;
        };
        ParentBody: {
            /** @description The parent session. */
            sessionId: string;
            /**
             * @description Kind of child.
             * @enum {string}
             */
            edge: "subagent" | "continuation";
            /** @description The tool call that starts this subagent. It needs epoch and claimToken of your claim of the parent, and gives the session its id: one for each call. */
            spawningCallId?: string;
            /** @description Of your claim of the parent: a stale owner starts no session. */
            epoch?: number;
            /** @description The secret that you made for that claim. */
            claimToken?: string;
            /** @description It goes on when the run that started it is stopped. Default: it stops with it. */
            detached?: boolean;
        };
        StartSessionBody: {
            /** @description Make it yourself to be able to retry. Default: made of the spawning call, of the Idempotency-Key, or a new UUID. */
            sessionId?: string;
            /** @description Shown in lists. */
            title?: string;
            /** @description For filters and cost reports. Nothing personal. */
            labels?: {
                [key: string]: string;
            };
            /** @description Which agent runs here. */
            profile?: components["schemas"]["AgentProfileBody"];
            /** @description What the tools promise. A tool nobody describes is an opaqueWrite. */
            tools?: components["schemas"]["ToolBody"][];
            /**
             * @description auto: a lost run may be recovered by any worker. manual: only when asked for. Default: as the server is configured, auto unless it says otherwise.
             * @enum {string}
             */
            recoveryMode?: "auto" | "manual";
            /** @description Costs flow up to it. */
            parent?: components["schemas"]["ParentBody"];
        };
        SessionSummaryView: {
            tenantId: string;
            sessionId: string;
            /** @description As it was named, else how its first input begins. */
            title?: string;
            /** @enum {string} */
            status: "idle" | "owned" | "scheduled" | "waiting" | "stopped" | "erasing" | "erased";
            parentId?: string;
            /** @enum {string} */
            edge?: "subagent" | "continuation" | "fork";
            /** @description The parent first. */
            ancestors: string[];
            labels: {
                [key: string]: string;
            };
            /** @description {name, version, provider, model} */
            profile?: Record<string, unknown>;
            /** @description Made from a foreign log. */
            imported: boolean;
            /** @description The foreign log. */
            origin?: Record<string, unknown>;
            counters: {
                [key: string]: number;
            };
            /** @description Inputs that no model has seen. */
            pendingInputs: number;
            /** @description Calls without a final outcome. */
            unresolvedCalls: number;
            /** @description Of these: calls that may have had an effect nobody knows. */
            unknownCalls: number;
            /** @description By rule: secrets that were masked in its events, or noted. */
            redactions: {
                [key: string]: number;
            };
            /**
             * @description Of a quarantined session: what its run used up; invalidStream: a stored event is damaged.
             * @enum {string}
             */
            quarantine?: "recoveryAttempts" | "recoveryTotal" | "noProgress" | "modelCalls" | "cost" | "invalidStream";
            /** @description {workerId, epoch} */
            heldBy?: Record<string, unknown>;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            revision: number;
            position: string;
        };
        SessionListView: {
            /** @description Latest change first. */
            sessions: components["schemas"]["SessionSummaryView"][];
            /** @description Give it as `after` for the next page. */
            cursor?: string;
            asOf: components["schemas"]["AsOfView"];
        };
        RunView: {
            runId: string;
            /** @enum {string} */
            status: "active" | "interrupted" | "stopping" | "quarantined";
            epoch: number;
            /** @description The worker of the last claim. */
            workerId: string;
            modelCalls: number;
            /** @description Charged recovery attempts without settled progress. */
            recoveryAttempts: number;
            /**
             * @description Of a quarantined run: what it used up.
             * @enum {string}
             */
            quarantine?: "recoveryAttempts" | "recoveryTotal" | "noProgress" | "modelCalls" | "cost";
        };
        PendingInputView: {
            inputId: string;
            /** @enum {string} */
            delivery: "steer" | "queue";
            resume: boolean;
            author: string;
        };
        SessionView: {
            sessionId: string;
            title?: string;
            /** @enum {string} */
            status: "idle" | "owned" | "scheduled" | "waiting" | "stopped" | "erasing" | "erased";
            standing: components["schemas"]["StandingView"];
            /** @description Newest revision; also the ETag. */
            revision: number;
            labels: {
                [key: string]: string;
            };
            profile: Record<string, unknown>;
            /** @enum {string} */
            recoveryMode: "auto" | "manual";
            /** @description Made from a foreign log. */
            imported: boolean;
            /** @description {sessionId, edge} */
            parent?: Record<string, unknown>;
            /** @description The parent first. */
            ancestors: string[];
            /** @description {revision, to}: a revert that can still be cleared. */
            revert?: Record<string, unknown>;
            run?: components["schemas"]["RunView"];
            pendingInputs: components["schemas"]["PendingInputView"][];
            /** @description Calls without a known outcome. */
            unresolved: components["schemas"]["CallView"][];
            counters: {
                [key: string]: number;
            };
        };
        ResumeSessionBody: {
            /** @description Why, for the audit. */
            note?: string;
        };
        LabelSessionBody: {
            /** @description Labels to add or change. They are declared non-personal: they say what the session is for (project, team, environment), and stay readable when its content is erased. A call is counted under the labels that its session has when the call is settled. */
            set?: {
                [key: string]: string;
            };
            /** @description Names of labels to remove. */
            remove?: string[];
        };
        RecordStepBody: {
            /** @description Epoch of your claim. */
            epoch: number;
            /** @description The secret that you made for your claim; only its hash is stored. */
            claimToken: string;
            /** @description What happened, in order; all of it is appended or nothing. Each step is {type, …} with the fields of its own route, without epoch and claimToken. A call of a message in the same request is named by call: {messageId, ordinal}. */
            steps: Record<string, unknown>[];
        };
        StepView: {
            /** @description The session that was written. */
            sessionId: string;
            /** @description Revision of the command's last event; also the ETag. */
            revision: number;
            /**
             * @description Give it to a read as `atLeast` to see this write.
             * @example 42
             */
            position: string;
            /** @description The same command was done before; this is its answer. */
            replayed: boolean;
            /** @description A repeated id came with other content; the first one stays. */
            payloadDiffers: boolean;
            /** @description Secrets that were masked in what was stored, or noted: read it back. */
            redactions?: number;
            /** @description Types of the events that were appended, in order. */
            events: string[];
            /** @description Calls without a known outcome. */
            unresolved: components["schemas"]["CallView"][];
        };
        CallEventView: {
            revision: number;
            type: string;
            /** Format: date-time */
            recordedAt: string;
            /** @description Who caused it. */
            actor: string;
            data: Record<string, unknown>;
            sessionId: string;
        };
        CallHistoryView: {
            call: components["schemas"]["CallView"];
            /** @description Every event of the call, those included that a fork inherits. */
            events: components["schemas"]["CallEventView"][];
        };
        StartToolCallBody: {
            /** @description Epoch of your claim. */
            epoch: number;
            /** @description The secret that you made for your claim; only its hash is stored. */
            claimToken: string;
            /** @description The attempt you ask for: 1, or the one a retry was authorized for. */
            attempt?: number;
        };
        PermitView: {
            /** @description The session that was written. */
            sessionId: string;
            /** @description Revision of the command's last event; also the ETag. */
            revision: number;
            /**
             * @description Give it to a read as `atLeast` to see this write.
             * @example 42
             */
            position: string;
            /** @description The same command was done before; this is its answer. */
            replayed: boolean;
            /** @description A repeated id came with other content; the first one stays. */
            payloadDiffers: boolean;
            /** @description Secrets that were masked in what was stored, or noted: read it back. */
            redactions?: number;
            /** @description State of the call now. */
            call?: components["schemas"]["CallView"];
            /** @description The attempt that you may make, once. */
            attempt: number;
            /** @description Send it along; the same for every attempt. */
            opKey: string;
            /** @description Where the target expects it: {header} or {body}, a JSON pointer. */
            keyField?: Record<string, unknown>;
            /** Format: date-time */
            startedAt: string;
            /**
             * Format: date-time
             * @description Do not send after this.
             */
            dispatchBy: string;
            /**
             * Format: date-time
             * @description No answer by then: report it as unknown.
             */
            deadline: string;
        };
        RecordToolProgressBody: {
            /** @description Epoch of your claim. */
            epoch: number;
            /** @description The secret that you made for your claim; only its hash is stored. */
            claimToken: string;
            /** @description The running attempt. */
            attempt?: number;
            /** @description The target's id of the operation; report it as soon as you know it. */
            externalRef?: string;
            /** @description How far it is. */
            note?: string;
        };
        CallReceiptView: {
            /** @description The session that was written. */
            sessionId: string;
            /** @description Revision of the command's last event; also the ETag. */
            revision: number;
            /**
             * @description Give it to a read as `atLeast` to see this write.
             * @example 42
             */
            position: string;
            /** @description The same command was done before; this is its answer. */
            replayed: boolean;
            /** @description A repeated id came with other content; the first one stays. */
            payloadDiffers: boolean;
            /** @description Secrets that were masked in what was stored, or noted: read it back. */
            redactions?: number;
            /** @description State of the call now. */
            call?: components["schemas"]["CallView"];
        };
        RecordToolResultBody: {
            /** @description The attempt that answered. */
            attempt?: number;
            /**
             * @description completed: the tool ran and answered (also with an error). noEffect: it or its target refused before doing anything. A timeout is neither: report it as unknown.
             * @enum {string}
             */
            status?: "completed" | "noEffect";
            /**
             * @description Of noEffect: does it speak of this attempt, or of the whole operation?
             * @enum {string}
             */
            scope?: "attempt" | "operation";
            /** @description The answer is an error. */
            isError?: boolean;
            /** @description Text, or a list of text, image and document blocks. */
            content: string | Record<string, unknown>[];
            /** @description Of a call that undoes another: it found nothing to undo. */
            nothingToUndo?: boolean;
            /** @description Structured data kept beside the answer. */
            details?: Record<string, unknown>;
            /** @description The target's id of the operation. */
            externalRef?: string;
            /** @description Epoch of your claim. */
            epoch: number;
            /** @description The secret that you made for your claim. */
            claimToken: string;
            /** @description How long the call took. */
            durationMs?: number;
        };
        ReportToolUnknownBody: {
            /** @description Epoch of your claim. */
            epoch: number;
            /** @description The secret that you made for your claim; only its hash is stored. */
            claimToken: string;
            /** @description The running attempt. */
            attempt?: number;
            /**
             * @description transport: timeout or lost connection. stoppedInFlight: aborted on request.
             * @enum {string}
             */
            reason?: "transport" | "stoppedInFlight";
        };
        SkipToolCallBody: {
            /** @description Epoch of your claim. */
            epoch: number;
            /** @description The secret that you made for your claim; only its hash is stored. */
            claimToken: string;
            /**
             * @description Why it never starts.
             * @enum {string}
             */
            reason: "denied" | "requested" | "manifestUnavailable";
        };
        LateToolResultBody: {
            /** @description The attempt that answered. */
            attempt?: number;
            /**
             * @description completed: the tool ran and answered (also with an error). noEffect: it or its target refused before doing anything. A timeout is neither: report it as unknown.
             * @enum {string}
             */
            status?: "completed" | "noEffect";
            /**
             * @description Of noEffect: does it speak of this attempt, or of the whole operation?
             * @enum {string}
             */
            scope?: "attempt" | "operation";
            /** @description The answer is an error. */
            isError?: boolean;
            /** @description Text, or a list of text, image and document blocks. */
            content: string | Record<string, unknown>[];
            /** @description Of a call that undoes another: it found nothing to undo. */
            nothingToUndo?: boolean;
            /** @description Structured data kept beside the answer. */
            details?: Record<string, unknown>;
            /** @description The target's id of the operation. */
            externalRef?: string;
            /** @description The epoch in which the attempt was started. */
            claimedEpoch: number;
        };
        ProbeEvidenceBody: {
            /** @description How it was asked: GET, a query, a look. */
            method: string;
            /** @description What was asked. */
            target: string;
            /** @description HTTP status. */
            statusCode?: number;
            /** @description The target's id of the operation. */
            externalRef?: string;
            /** @description The part of the answer that counts. */
            excerpt?: string;
            /**
             * Format: date-time
             * @description When the answer was seen.
             */
            observedAt: string;
        };
        RecordProbeBody: {
            /**
             * @description What the target says about the operation key or reference.
             * @enum {string}
             */
            answer: "found" | "notFound" | "inProgress" | "unclear" | "error";
            /**
             * Format: date-time
             * @description When the question was sent.
             */
            requestedAt: string;
            /**
             * @description Who asked.
             * @enum {string}
             */
            source?: "handler" | "operator";
            /** @description Kept for the audit. */
            evidence: components["schemas"]["ProbeEvidenceBody"];
        };
        DecideApprovalBody: {
            /**
             * @description May it be started?
             * @enum {string}
             */
            decision: "allow" | "deny";
            /** @description Why. */
            note?: string;
        };
        LowerToolCallBody: {
            /** @description Why. */
            note?: string;
        };
        DecideEscalationBody: {
            /**
             * @description What happened, or what shall happen.
             * @enum {string}
             */
            decision: "applied" | "notApplied" | "retry" | "compensate" | "abandon";
            /** @description The question that you answer. An answer to one that is over is refused. */
            escalationId?: string;
            /** @description Why. */
            note?: string;
            /** @description Where the evidence is. */
            evidenceRef?: string;
        };
        RegisterToolsBody: {
            /** @description What the tools promise. A manifest that says something new is a new version. */
            tools: components["schemas"]["ToolBody"][];
        };
        RegisteredToolView: {
            /** @description The name that the model calls. */
            name: string;
            /**
             * @description What a repetition may do. Default: opaqueWrite.
             * @enum {string}
             */
            effect?: "readOnly" | "keyedWrite" | "queryableWrite" | "opaqueWrite";
            /** @description Hard time limit of one call. */
            timeoutMs?: number;
            /** @description Longest time after the start at which a request can still take effect. */
            maxFlightMs?: number;
            /** @description keyedWrite: how long the target remembers the operation key. */
            keyWindowMs?: number;
            /** @description Where the worker puts the operation key: {header: "Idempotency-Key"} or {body: "/key"}, a JSON pointer. Every keyedWrite says so; the permit repeats it. */
            keyField?: Record<string, unknown>;
            /** @description When "not found" proves that nothing happened. Absent: never. */
            notFoundIsFinalAfterMs?: number;
            /** @description The target can be asked for the outcome. */
            probe?: boolean;
            /** @description How the server asks the target by itself: {method, urlTemplate, headers?, rules: [{status, pointer?, equals? | in? | exists?, answer}], externalRefPointer?, graphql?}. See the guide on tools. */
            httpProbe?: Record<string, unknown>;
            /** @description Instead of httpProbe: the name of a probe that the program around Holdfast has given it. */
            namedProbe?: string;
            /** @description How the server makes an operation key unusable: {method, urlTemplate, headers?, voidedStatus}. */
            voidByKey?: Record<string, unknown>;
            /** @description Attempts of one call. */
            maxAttempts?: number;
            /** @description Status queries of one call. */
            maxProbes?: number;
            /** @description After "it did not happen": try again, or only tell the model. Default: try again. */
            retryWhenNotApplied?: boolean;
            /** @description The keyedWrite that undoes it, and does nothing where there is nothing to undo: a person can order it when the outcome is unknown. */
            compensate?: string;
            /** @description Undo what a run has done with it, without being asked, when that run fails. Default: only people order it. */
            compensateWhenRunFails?: boolean;
            /** @description Who must allow each call before its first attempt, within escalationDueMs. Absent: nobody. */
            approval?: string;
            /** @description Who is asked when nobody else can tell. Default: operator. */
            escalateTo?: string;
            /** @description How long that person has. */
            escalationDueMs?: number;
            /**
             * @description While an outcome is unknown: hold the run, or tell the model and go on.
             * @enum {string}
             */
            onUnknown?: "hold" | "tell";
            /** @description Larger results are refused. Default: 8 MiB. */
            resultBytesMax?: number;
            /** @description Masked in its arguments, results and evidence, and in the messages that call it, beyond what is masked everywhere: see the guide on secrets. */
            redact?: components["schemas"]["RedactionPatternBody"][];
            /** @description Skip an equal call while an earlier one has no known outcome. */
            twinGuard?: boolean;
            /** @description Counted by Holdfast. */
            version: number;
            /** @description False: the newest version says the same already. */
            added: boolean;
        };
        RegisteredToolsView: {
            tools: components["schemas"]["RegisteredToolView"][];
        };
        ToolView: {
            /** @description The name that the model calls. */
            name: string;
            /**
             * @description What a repetition may do. Default: opaqueWrite.
             * @enum {string}
             */
            effect?: "readOnly" | "keyedWrite" | "queryableWrite" | "opaqueWrite";
            /** @description Hard time limit of one call. */
            timeoutMs?: number;
            /** @description Longest time after the start at which a request can still take effect. */
            maxFlightMs?: number;
            /** @description keyedWrite: how long the target remembers the operation key. */
            keyWindowMs?: number;
            /** @description Where the worker puts the operation key: {header: "Idempotency-Key"} or {body: "/key"}, a JSON pointer. Every keyedWrite says so; the permit repeats it. */
            keyField?: Record<string, unknown>;
            /** @description When "not found" proves that nothing happened. Absent: never. */
            notFoundIsFinalAfterMs?: number;
            /** @description The target can be asked for the outcome. */
            probe?: boolean;
            /** @description How the server asks the target by itself: {method, urlTemplate, headers?, rules: [{status, pointer?, equals? | in? | exists?, answer}], externalRefPointer?, graphql?}. See the guide on tools. */
            httpProbe?: Record<string, unknown>;
            /** @description Instead of httpProbe: the name of a probe that the program around Holdfast has given it. */
            namedProbe?: string;
            /** @description How the server makes an operation key unusable: {method, urlTemplate, headers?, voidedStatus}. */
            voidByKey?: Record<string, unknown>;
            /** @description Attempts of one call. */
            maxAttempts?: number;
            /** @description Status queries of one call. */
            maxProbes?: number;
            /** @description After "it did not happen": try again, or only tell the model. Default: try again. */
            retryWhenNotApplied?: boolean;
            /** @description The keyedWrite that undoes it, and does nothing where there is nothing to undo: a person can order it when the outcome is unknown. */
            compensate?: string;
            /** @description Undo what a run has done with it, without being asked, when that run fails. Default: only people order it. */
            compensateWhenRunFails?: boolean;
            /** @description Who must allow each call before its first attempt, within escalationDueMs. Absent: nobody. */
            approval?: string;
            /** @description Who is asked when nobody else can tell. Default: operator. */
            escalateTo?: string;
            /** @description How long that person has. */
            escalationDueMs?: number;
            /**
             * @description While an outcome is unknown: hold the run, or tell the model and go on.
             * @enum {string}
             */
            onUnknown?: "hold" | "tell";
            /** @description Larger results are refused. Default: 8 MiB. */
            resultBytesMax?: number;
            /** @description Masked in its arguments, results and evidence, and in the messages that call it, beyond what is masked everywhere: see the guide on secrets. */
            redact?: components["schemas"]["RedactionPatternBody"][];
            /** @description Skip an equal call while an earlier one has no known outcome. */
            twinGuard?: boolean;
            /** @description Counted by Holdfast. */
            version: number;
        };
        ToolListView: {
            tools: components["schemas"]["ToolView"][];
        };
        ClaimWorkBody: {
            /** @description Name of the worker, shown to others while it holds the session. */
            workerId: string;
            /** @description A new random secret for this claim. Keep it: every owner request needs it. */
            claimToken: string;
            /** @description Only sessions whose profile has one of these names. Default: all. */
            profiles?: string[];
            /** @description Only sessions with all of these labels. */
            labels?: {
                [key: string]: string;
            };
            /** @description How long to wait for work, in milliseconds. 0: answer at once. */
            waitMs?: number;
            /** @description Version of your agent program. A difference from the last claim is reported. */
            profileVersion?: string;
            /** @description The tools that you can call: no other gets a permit. Default: any. */
            toolNames?: string[];
            /** @description Go on although tools of open calls are missing or promise something else. */
            confirmDifferences?: boolean;
        };
        WorkView: {
            sessionId: string;
            /**
             * @description What a claim would be. takeover: somebody holds it as long as its lease lives.
             * @enum {string}
             */
            reason: "start" | "resume" | "takeover";
            /** @description The profile's name. */
            profile?: string;
            labels: {
                [key: string]: string;
            };
            /**
             * Format: date-time
             * @description Since when.
             */
            since: string;
            /** @description Recovery attempts without settled progress so far. */
            recoveryAttempts: number;
            /**
             * Format: date-time
             * @description Not handed out before.
             */
            notBefore: string;
            /** @description The worker of the last claim. */
            heldBy?: string;
            /**
             * Format: date-time
             * @description Until when it has it, unless it renews that. Absent: nobody has it.
             */
            leaseExpiresAt?: string;
        };
        WorkListView: {
            /** @description The oldest first. */
            sessions: components["schemas"]["WorkView"][];
        };
        /** @description RFC 9457 problem document; further members depend on `code`. */
        Problem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            code: string;
            retryable: boolean;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    "artifacts.keep": {
        parameters: {
            query?: {
                /** @description What the bytes are, such as image/png. */
                mediaType?: string;
            };
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ArtifactView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "artifacts.read": {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of an earlier answer. */
                "If-Range"?: string;
                /** @description One range, such as bytes=0-1023. */
                Range?: string;
            };
            path: {
                sessionId: string;
                hash: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes as they were stored. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The range that was asked for. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "audit.read": {
        parameters: {
            query?: {
                /** @description Only what this one has done: key:…, user:…, local. */
                actor?: string;
                /** @description Only what these commands have done, as StartSession,DecideEscalation. */
                commands?: string;
                /** @description Only events of these types, as ToolEscalationDecided,AccessKeyAdded. */
                types?: string;
                /** @description Only events of these sessions. */
                sessions?: string;
                /** @description Only of sessions that have this label now: name=value. */
                label?: string;
                /** @description Only what was recorded then or later. */
                since?: string;
                /** @description Only what was recorded before. */
                until?: string;
                /** @description true: only denials and exports, keys and settings, decisions, stops and resumes by people, and claims by force. */
                trail?: string;
                /** @description true: only events in which secrets were masked or noted. */
                redacted?: string;
                /** @description Position: only what comes behind it. */
                after?: string;
                /** @description Entries per page. */
                first?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEntriesView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "audit.export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuditExportBody"];
            };
        };
        responses: {
            /** @description Without the last line it is not whole. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "audit.changes": {
        parameters: {
            query?: {
                /** @description The older version. */
                from?: number;
                /** @description The newer version. Default: the newest. */
                to?: number;
            };
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VersionDifferenceView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "compactions.start": {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request; the same key with the same body is answered once. */
                "Idempotency-Key"?: string;
                /** @description Only if the session is at this revision: "<revision>". */
                "If-Match"?: string;
            };
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StartCompactionBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompactionView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "compactions.check": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
                compactionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CheckCompactionBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OmissionsView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "compactions.commit": {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request; the same key with the same body is answered once. */
                "Idempotency-Key"?: string;
                /** @description Only if the session is at this revision: "<revision>". */
                "If-Match"?: string;
            };
            path: {
                sessionId: string;
                compactionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CommitCompactionBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CommittedCompactionView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "compactions.fail": {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request; the same key with the same body is answered once. */
                "Idempotency-Key"?: string;
                /** @description Only if the session is at this revision: "<revision>". */
                "If-Match"?: string;
            };
            path: {
                sessionId: string;
                compactionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FailCompactionBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiptView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "context.read": {
        parameters: {
            query?: {
                /** @description As it was at this revision. Default: now. */
                at?: number;
                format?: "neutral" | "openai-chat" | "openai-responses" | "anthropic" | "gemini" | "ai-sdk" | "langchain";
            };
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContextView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "context.build": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContextBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContextView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "context.past": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
                contextId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContextView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "context.restore": {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request; the same key with the same body is answered once. */
                "Idempotency-Key"?: string;
                /** @description Only if the session is at this revision: "<revision>". */
                "If-Match"?: string;
            };
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RestoreSessionBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestoreView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "events.ofSession": {
        parameters: {
            query?: {
                /** @description true: apply the rules of now to what was stored earlier. */
                redact?: string;
                /** @description First revision. */
                from?: number;
                /** @description Events per page. */
                first?: number;
            };
            header?: {
                /** @description With text/event-stream: the last id that was received; what follows is sent. */
                "Last-Event-ID"?: string;
            };
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page; all up to now, one event per line; or all, and then what comes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventPageView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "events.ofTenant": {
        parameters: {
            query?: {
                /** @description true: apply the rules of now to what was stored earlier. */
                redact?: string;
                /** @description Position: only what comes behind it. */
                after?: string;
                /** @description Events per page. */
                first?: number;
                /** @description Only events of these types, as ToolResultRecorded,ToolOutcomeUnknown. */
                types?: string;
                /** @description Only events of these sessions. */
                sessions?: string;
                /** @description Only what this one has caused. */
                actor?: string;
            };
            header?: {
                /** @description With text/event-stream: the last id that was received; what follows is sent. */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page; all up to now, one event per line; or all, and then what comes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TenantEventPageView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "facts.list": {
        parameters: {
            query?: {
                /** @description As it was at this revision. Default: now. */
                at?: number;
                /** @description true: also facts that hold no longer. */
                retired?: string;
            };
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FactListView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "facts.record": {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request; the same key with the same body is answered once. */
                "Idempotency-Key"?: string;
                /** @description Only if the session is at this revision: "<revision>". */
                "If-Match"?: string;
            };
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecordFactsBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiptView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "facts.read": {
        parameters: {
            query?: {
                /** @description How many versions, the newest first. */
                first?: number;
            };
            header?: never;
            path: {
                sessionId: string;
                factId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FactHistoryView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "erasures.erase": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EraseSessionBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErasureView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "forks.fork": {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request; the same key with the same body is answered once. */
                "Idempotency-Key"?: string;
                /** @description Only if the session is at this revision: "<revision>". */
                "If-Match"?: string;
            };
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ForkSessionBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiptView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "forks.revert": {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request; the same key with the same body is answered once. */
                "Idempotency-Key"?: string;
                /** @description Only if the session is at this revision: "<revision>". */
                "If-Match"?: string;
            };
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RevertSessionBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevertView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "forks.clear": {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request; the same key with the same body is answered once. */
                "Idempotency-Key"?: string;
                /** @description Only if the session is at this revision: "<revision>". */
                "If-Match"?: string;
            };
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiptView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "forks.compare": {
        parameters: {
            query: {
                /** @description The other session. */
                with: string;
                /** @description Items of each branch. */
                first?: number;
                /** @description `next` of this session's branch. */
                from?: number;
                /** @description `next` of the other session's branch. */
                otherFrom?: number;
            };
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ComparisonView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "foundcalls.find": {
        parameters: {
            query?: {
                /** @description Position of a write that the answer must contain. */
                atLeast?: string;
                /** @description What was sent to the target with the call. */
                operationKey?: string;
                /** @description The target's own id, as it was reported. */
                externalRef?: string;
                /** @description So many at most. */
                first?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FoundCallsView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "costs.series": {
        parameters: {
            query?: {
                /** @description Position of a write that the answer must contain. */
                atLeast?: string;
                /** @description First day of the zone, or an instant. Included. */
                from?: string;
                /** @description End: a day of the zone, or an instant. Not included. */
                to?: string;
                /** @description IANA zone of days. */
                zone?: string;
                format?: "json" | "csv";
                /** @description One row per day of the zone, per model, user, session or value of a label, per day and one of these, or one row in total. */
                groupBy?: string;
                /** @description Only what this user has caused. */
                user?: string;
                /** @description Only calls that this model answered. */
                model?: string;
                /** @description A label as name=value, or the name alone to group by its values. */
                label?: string;
                /** @description Only this session's own calls. */
                session?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CostSeriesView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "costs.cost": {
        parameters: {
            query?: {
                /** @description Position of a write that the answer must contain. */
                atLeast?: string;
                /** @description First day of the zone, or an instant. Included. */
                from?: string;
                /** @description End: a day of the zone, or an instant. Not included. */
                to?: string;
                /** @description IANA zone of days. */
                zone?: string;
                format?: "json" | "csv";
                /** @description Which kinds of children count, with commas. Default: all. */
                edges?: string;
                /** @description Splits the cost into groups. */
                by?: "model" | "purpose" | "kind" | "run" | "user" | "label" | "day";
                /** @description Name of the label to split by. */
                label?: string;
                /** @description As it was: version:<revision of this session>, position:<position of the log>, or a time. Default: now. */
                asOf?: string;
            };
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionCostView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "costs.children": {
        parameters: {
            query?: {
                /** @description Position of a write that the answer must contain. */
                atLeast?: string;
                /** @description Entries per page. */
                first?: number;
                /** @description From the page before. */
                after?: string;
                /** @description Which kinds of children count, with commas. */
                edges?: string;
            };
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChildCostListView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "costs.calls": {
        parameters: {
            query?: {
                /** @description Position of a write that the answer must contain. */
                atLeast?: string;
                /** @description Entries per page. */
                first?: number;
                /** @description From the page before. */
                after?: string;
            };
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallCostListView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "history.messages": {
        parameters: {
            query?: {
                /** @description Position of a write that the answer must contain. */
                atLeast?: string;
                /** @description Entries per page. */
                first?: number;
                /** @description From the page before. */
                after?: string;
                order?: "oldestFirst" | "newestFirst";
            };
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConversationView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "inputs.accept": {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request; the same key with the same body is answered once. */
                "Idempotency-Key"?: string;
                /** @description Only if the session is at this revision: "<revision>". */
                "If-Match"?: string;
            };
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptInputBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InputReceiptView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "inputs.deliver": {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request; the same key with the same body is answered once. */
                "Idempotency-Key"?: string;
                /** @description Only if the session is at this revision: "<revision>". */
                "If-Match"?: string;
            };
            path: {
                sessionId: string;
                inputId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeDeliveryBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiptView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "inputs.withdraw": {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request; the same key with the same body is answered once. */
                "Idempotency-Key"?: string;
                /** @description Only if the session is at this revision: "<revision>". */
                "If-Match"?: string;
            };
            path: {
                sessionId: string;
                inputId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiptView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "keys.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyListView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "keys.add": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddAccessKeyBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GivenKeyView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "keys.rotate": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                keyId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RotateAccessKeyBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GivenKeyView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "keys.revoke": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "modelcalls.start": {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request; the same key with the same body is answered once. */
                "Idempotency-Key"?: string;
                /** @description Only if the session is at this revision: "<revision>". */
                "If-Match"?: string;
            };
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StartModelCallBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelCallStartedView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "modelcalls.message": {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request; the same key with the same body is answered once. */
                "Idempotency-Key"?: string;
                /** @description Only if the session is at this revision: "<revision>". */
                "If-Match"?: string;
            };
            path: {
                sessionId: string;
                modelCallId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecordAssistantMessageBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "modelcalls.settle": {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request; the same key with the same body is answered once. */
                "Idempotency-Key"?: string;
                /** @description Only if the session is at this revision: "<revision>". */
                "If-Match"?: string;
            };
            path: {
                sessionId: string;
                modelCallId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SettleModelCallBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettledView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "modelcalls.usage": {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request; the same key with the same body is answered once. */
                "Idempotency-Key"?: string;
                /** @description Only if the session is at this revision: "<revision>". */
                "If-Match"?: string;
            };
            path: {
                sessionId: string;
                modelCallId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReportModelUsageBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportedUsageView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "prices.quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QuotePricesBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PriceQuoteView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "prices.list": {
        parameters: {
            query?: {
                /** @description By any of its names: google, gcp.gen_ai, … */
                provider?: string;
                /** @description A model id, an alias or a dated snapshot. */
                model?: string;
                /** @description Cards per page. */
                first?: number;
                /** @description From the page before. */
                after?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PriceCardListView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "prices.add": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddPriceCardsBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddedCardsView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "prices.reprice": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RepriceCallsBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RepricingView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "reconciliations.list": {
        parameters: {
            query?: {
                /** @description So many at most. */
                first?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReconciliationsView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "reconciliations.calls": {
        parameters: {
            query?: {
                /** @description So many at most. */
                first?: number;
                /** @description Only what people are asked. */
                question?: "outcome" | "approval";
                /** @description Only what this user or role has to decide. */
                asked?: string;
                /** @description Only calls in this state, such as unknown. */
                state?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenCallsView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "budgets.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BudgetListView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "budgets.read": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                budgetId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BudgetView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "budgets.set": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                budgetId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetBudgetBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BudgetView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "budgets.remove": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                budgetId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "redaction.read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RedactionView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "redaction.set": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RedactionPolicyBody"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "runs.claim": {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request; the same key with the same body is answered once. */
                "Idempotency-Key"?: string;
                /** @description Only if the session is at this revision: "<revision>". */
                "If-Match"?: string;
            };
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClaimRunBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClaimView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "runs.heartbeat": {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request; the same key with the same body is answered once. */
                "Idempotency-Key"?: string;
                /** @description Only if the session is at this revision: "<revision>". */
                "If-Match"?: string;
            };
            path: {
                sessionId: string;
                runId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HeartbeatBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeartbeatView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "runs.complete": {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request; the same key with the same body is answered once. */
                "Idempotency-Key"?: string;
                /** @description Only if the session is at this revision: "<revision>". */
                "If-Match"?: string;
            };
            path: {
                sessionId: string;
                runId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompleteRunBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiptView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "runs.fail": {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request; the same key with the same body is answered once. */
                "Idempotency-Key"?: string;
                /** @description Only if the session is at this revision: "<revision>". */
                "If-Match"?: string;
            };
            path: {
                sessionId: string;
                runId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FailRunBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiptView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "runs.interrupt": {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request; the same key with the same body is answered once. */
                "Idempotency-Key"?: string;
                /** @description Only if the session is at this revision: "<revision>". */
                "If-Match"?: string;
            };
            path: {
                sessionId: string;
                runId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InterruptRunBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiptView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "runs.release": {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request; the same key with the same body is answered once. */
                "Idempotency-Key"?: string;
                /** @description Only if the session is at this revision: "<revision>". */
                "If-Match"?: string;
            };
            path: {
                sessionId: string;
                runId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReleaseRunBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiptView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "runs.stop": {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request; the same key with the same body is answered once. */
                "Idempotency-Key"?: string;
                /** @description Only if the session is at this revision: "<revision>". */
                "If-Match"?: string;
            };
            path: {
                sessionId: string;
                runId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StopRunBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StopView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "runs.stopped": {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request; the same key with the same body is answered once. */
                "Idempotency-Key"?: string;
                /** @description Only if the session is at this revision: "<revision>". */
                "If-Match"?: string;
            };
            path: {
                sessionId: string;
                runId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OwnedBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StopView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "sessions.list": {
        parameters: {
            query?: {
                /** @description Position of a write that the answer must contain. */
                atLeast?: string;
                /** @description Entries per page. */
                first?: number;
                /** @description From the page before. */
                after?: string;
                status?: "idle" | "owned" | "scheduled" | "waiting" | "stopped" | "erasing" | "erased";
                /** @description Children of this session. */
                parentId?: string;
                /** @description A label, as name=value. */
                label?: string;
                /** @description The profile's name. */
                profile?: string;
                /** @description Only imported sessions, or only others. */
                imported?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionListView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "sessions.start": {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request; the same key with the same body is answered once. */
                "Idempotency-Key"?: string;
                /** @description Only if the session is at this revision: "<revision>". */
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StartSessionBody"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiptView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "sessions.read": {
        parameters: {
            query?: {
                /** @description As it was at this revision. Default: now. */
                at?: number;
            };
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "sessions.resume": {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request; the same key with the same body is answered once. */
                "Idempotency-Key"?: string;
                /** @description Only if the session is at this revision: "<revision>". */
                "If-Match"?: string;
            };
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResumeSessionBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiptView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "sessions.label": {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request; the same key with the same body is answered once. */
                "Idempotency-Key"?: string;
                /** @description Only if the session is at this revision: "<revision>". */
                "If-Match"?: string;
            };
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LabelSessionBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceiptView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "sessions.record": {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request; the same key with the same body is answered once. */
                "Idempotency-Key"?: string;
                /** @description Only if the session is at this revision: "<revision>". */
                "If-Match"?: string;
            };
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecordStepBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StepView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "toolcalls.read": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
                callId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallHistoryView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "toolcalls.start": {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request; the same key with the same body is answered once. */
                "Idempotency-Key"?: string;
                /** @description Only if the session is at this revision: "<revision>". */
                "If-Match"?: string;
            };
            path: {
                sessionId: string;
                callId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StartToolCallBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PermitView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "toolcalls.progress": {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request; the same key with the same body is answered once. */
                "Idempotency-Key"?: string;
                /** @description Only if the session is at this revision: "<revision>". */
                "If-Match"?: string;
            };
            path: {
                sessionId: string;
                callId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecordToolProgressBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallReceiptView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "toolcalls.result": {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request; the same key with the same body is answered once. */
                "Idempotency-Key"?: string;
                /** @description Only if the session is at this revision: "<revision>". */
                "If-Match"?: string;
            };
            path: {
                sessionId: string;
                callId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecordToolResultBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallReceiptView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "toolcalls.unknown": {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request; the same key with the same body is answered once. */
                "Idempotency-Key"?: string;
                /** @description Only if the session is at this revision: "<revision>". */
                "If-Match"?: string;
            };
            path: {
                sessionId: string;
                callId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReportToolUnknownBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallReceiptView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "toolcalls.skip": {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request; the same key with the same body is answered once. */
                "Idempotency-Key"?: string;
                /** @description Only if the session is at this revision: "<revision>". */
                "If-Match"?: string;
            };
            path: {
                sessionId: string;
                callId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SkipToolCallBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallReceiptView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "toolcalls.late": {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request; the same key with the same body is answered once. */
                "Idempotency-Key"?: string;
                /** @description Only if the session is at this revision: "<revision>". */
                "If-Match"?: string;
            };
            path: {
                sessionId: string;
                callId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LateToolResultBody"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallReceiptView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "toolcalls.probe": {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request; the same key with the same body is answered once. */
                "Idempotency-Key"?: string;
                /** @description Only if the session is at this revision: "<revision>". */
                "If-Match"?: string;
            };
            path: {
                sessionId: string;
                callId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecordProbeBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallReceiptView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "toolcalls.approve": {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request; the same key with the same body is answered once. */
                "Idempotency-Key"?: string;
                /** @description Only if the session is at this revision: "<revision>". */
                "If-Match"?: string;
            };
            path: {
                sessionId: string;
                callId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DecideApprovalBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallReceiptView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "toolcalls.lower": {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request; the same key with the same body is answered once. */
                "Idempotency-Key"?: string;
                /** @description Only if the session is at this revision: "<revision>". */
                "If-Match"?: string;
            };
            path: {
                sessionId: string;
                callId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LowerToolCallBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallReceiptView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "toolcalls.decide": {
        parameters: {
            query?: never;
            header?: {
                /** @description Names the request; the same key with the same body is answered once. */
                "Idempotency-Key"?: string;
                /** @description Only if the session is at this revision: "<revision>". */
                "If-Match"?: string;
            };
            path: {
                sessionId: string;
                callId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DecideEscalationBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallReceiptView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "tools.list": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolListView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "tools.register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegisterToolsBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegisteredToolsView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "tools.show": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ToolListView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "work.claim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClaimWorkBody"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClaimView"];
                };
            };
            /** @description No session has work. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    "work.list": {
        parameters: {
            query?: {
                /** @description So many at most. */
                first?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkListView"];
                };
            };
            /** @description Refused. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
