import type { Command } from 'commander';
