import { CommanderError, Help, InvalidArgumentError, type Command, type Option } from 'commander';
import type { Parsed, ParseList } from '../../prober/base/options.ts';

export type CommandLine =
  | { readonly kind: 'read' }
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'refused'; readonly message: string };

/** Keeps commander from exiting the process, and from writing anything but what is asked for, in any of the commands. */
export function contain(command: Command, write: (text: string) => void): void {
  command.exitOverride().configureOutput({ writeOut: write, writeErr: () => undefined, outputError: () => undefined });
  for (const child of command.commands) contain(child, write);
}

/** What commander refuses, in one line. */
export function refusalOf({ code, message }: CommanderError): string {
  if (code === 'commander.help') return 'no command was given';
  return message.replace(/^error: /, '').replaceAll(/[\s\p{Cc}]+/gu, ' ');
}

/**
 * Has a command read its arguments; nothing is printed and nothing exits. Its options are read from it afterwards.
 * @param args what follows the program's name
 * @returns the text of `--help` if it was asked for, or in one line what is wrong
 */
export function readCommandLine(command: Command, args: readonly string[]): CommandLine {
  let help = '';
  command.configureHelp({ optionDescription });
  contain(command, (text) => (help += text));
  try {
    command.parse(args, { from: 'user' });
    return { kind: 'read' };
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { kind: 'help', text: help };
    return { kind: 'refused', message: `${refusalOf(error)} (see --help)` };
  }
}

/** Without commander's `(default: [])`: options that may be repeated begin with nothing. */
function optionDescription(option: Option): string {
  return new Help().optionDescription(option).replace(/ \(default: (?:\[\]|\{\})\)$/, '');
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
    const number = /^\d{1,10}$/.test(text) ? Number(text) : -1;
    if (number >= min && number <= max) return number;
    throw new InvalidArgumentError(`Expected a whole number from ${min} to ${max}.`);
  };
}

function accept<T>(parsed: Parsed<T>): T {
  if (!parsed.ok) throw new InvalidArgumentError(`${parsed.problem}.`);
  return parsed.value;
}
