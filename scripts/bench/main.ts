import { Command } from 'commander';
import { accuracyCommand } from './accuracy/command.ts';
import { bulkCommand } from './bulk/command.ts';
import { clientCommand } from './client/command.ts';
import { engineCommand } from './engine/command.ts';
import { edgeCommand } from './edge/command.ts';
import { farCommand } from './far/command.ts';
import { fleetCommand } from './fleet/command.ts';
import { lookUpsCommand } from './lookups/command.ts';
import { ledgerCommand } from './ledger/command.ts';
import { objectCommand } from './object/command.ts';
import { peersCommand } from './peers/command.ts';
import { repliesCommand } from './replies.ts';

// One subcommand a file: each measures one part of the service and prints its figures.
const program = new Command('bench').description('Measures rcpt. Each subcommand prints its own figures.');
program.addCommand(repliesCommand());
program.addCommand(accuracyCommand());
program.addCommand(engineCommand());
program.addCommand(peersCommand());
program.addCommand(lookUpsCommand());
program.addCommand(bulkCommand());
program.addCommand(edgeCommand());
program.addCommand(farCommand());
program.addCommand(fleetCommand());
program.addCommand(ledgerCommand());
program.addCommand(objectCommand());
program.addCommand(clientCommand());
await program.parseAsync();
