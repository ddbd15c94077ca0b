import { Command } from 'commander';
import { edgeCommand } from './edge/command.ts';
import { repliesCommand } from './replies.ts';

// One subcommand a file: each measures one part of the service and prints its figures.
const program = new Command('bench').description('Measures rcpt. Each subcommand prints its own figures.');
program.addCommand(repliesCommand());
program.addCommand(edgeCommand());
await program.parseAsync();
