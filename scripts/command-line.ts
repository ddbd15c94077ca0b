import { CommanderError, type Command } from 'commander';

export type CommandLine =
  | { readonly kind: 'read' }
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'refused'; readonly message: string };

/**
 * Has a command read its arguments; nothing is printed and nothing exits.
 * @param command made with `exitOverride`; its options are read from it afterwards
 * @param args what follows the program's name
 * @returns the text of `--help` where it was asked for, or in one line what is wrong
 */
export function readCommandLine(command: Command, args: readonly string[]): CommandLine {
  let help = '';
  command.configureOutput({ writeOut: (text) => (help += text), writeErr: () => undefined });
  try {
    command.parse(args, { from: 'user' });
    return { kind: 'read' };
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { kind: 'help', text: help };
    const message = error.message.replace(/^error: /, '').replaceAll(/\s+/g, ' ');
    return { kind: 'refused', message: `${message} (--help says more)` };
  }
}
