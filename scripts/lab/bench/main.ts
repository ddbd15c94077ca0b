import { Command } from 'commander';
import { crowdCommand } from './crowd/command.ts';
import { engineCommand } from './engine/command.ts';
import { edgeCommand } from './edge/command.ts';
import { ledgerCommand } from './ledger/command.ts';
import { peersCommand } from './peers/command.ts';
import { repliesCommand } from './replies.ts';
import { waitCommand } from './wait.ts';

// One subcommand a file: each measures one part of the service and prints its figures.
const program = new Command('bench').description('Measures rcpt. Each subcommand prints its own figures.');
program.addCommand(repliesCommand());
program.addCommand(engineCommand());
program.addCommand(peersCommand());
program.addCommand(edgeCommand());
program.addCommand(crowdCommand());
program.addCommand(ledgerCommand());
program.addCommand(waitCommand());
await program.parseAsync();
