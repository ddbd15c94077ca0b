import { Command } from 'commander';
import { bulkCommand } from './bulk/command.ts';
import { engineCommand } from './engine/command.ts';
import { edgeCommand } from './edge/command.ts';
import { objectCommand } from './object/command.ts';
import { repliesCommand } from './replies.ts';

// One subcommand a file: each measures one part of the service and prints its figures.
const program = new Command('bench').description('Measures rcpt. Each subcommand prints its own figures.');
program.addCommand(repliesCommand());
program.addCommand(engineCommand());
program.addCommand(bulkCommand());
program.addCommand(edgeCommand());
program.addCommand(objectCommand());
await program.parseAsync();
