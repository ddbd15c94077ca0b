import { CommanderError, InvalidArgumentError, type Command } from 'commander';
import type { Parsed, ParseList } from '../../prober/base/options.ts';

export type CommandLine =
  | { readonly kind: 'read' }
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'refused'; readonly message: string };

/**
 * Has a command read its arguments; nothing is printed and nothing exits.
 * @param command made with `exitOverride`; its options are read from it afterwards
 * @param args what follows the program's name
 * @returns the text of `--help` if it was asked for, or in one line what is wrong
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
    const message = error.message.replace(/^error: /, '').replaceAll(/[\s\p{Cc}]+/gu, ' ');
    return { kind: 'refused', message: `${message} (see --help)` };
  }
}

/** An option's value in a form of the operator's grammar, for commander. */
export function inForm<T>(parse: (text: string) => Parsed<T>): (text: string) => T {
  return (text) => accept(parse(text));
}

/** The same for an option that may be given repeatedly, each time with one item or several: all of them are one list. */
export function listInForm<T>(parse: ParseList<T>): (text: string, before: readonly T[]) => readonly T[] {
  return (text, before) => accept(parse(text, before));
}

/** @returns reads a whole number for commander */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const number = /^\d{1,6}$/.test(text) ? Number(text) : -1;
    if (number < min || number > max) throw new InvalidArgumentError(`expected a whole number, ${min} to ${max}.`);
    return number;
  };
}

function accept<T>(parsed: Parsed<T>): T {
  if (!parsed.ok) throw new InvalidArgumentError(`${parsed.problem}.`);
  return parsed.value;
}
