import { Command } from 'commander';
import { engineCommand } from './engine/command.ts';
import { billCommand } from './bill/command.ts';
import { edgeCommand } from './edge/command.ts';
import { peersCommand } from './peers/command.ts';
import { repliesCommand } from './replies/command.ts';

// One subcommand a file: each measures one part of the service and prints its figures.
const program = new Command('bench').description('Measures rcpt. Each subcommand prints its own figures.');
program.addCommand(repliesCommand());
program.addCommand(engineCommand());
program.addCommand(peersCommand());
program.addCommand(edgeCommand());
program.addCommand(billCommand());
await program.parseAsync();
