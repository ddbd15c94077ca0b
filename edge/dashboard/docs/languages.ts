// The languages that have programs in schema/examples, each with one for the same two tasks.

export const PROGRAMS = [
  { title: 'One address', input: ' someone@example.com' },
  { title: 'A list, with retries', input: ' < list.txt' },
] as const;

type Language = {
  /** Of its folder. */
  readonly name: string;
  readonly title: string;
  /** What runs a file. */
  readonly command: string;
  readonly files: readonly string[];
};

function language(name: string, title: string, command: string, ending: string): Language {
  const files = ['verify_one', 'verify_list'].map((file) => `${file}.${ending}`);
  return { name, title, command, files };
}

export const LANGUAGES: readonly Language[] = [
  language('curl', 'curl', 'bash', 'sh'),
  language('python', 'Python', 'python3', 'py'),
  language('go', 'Go', 'go run', 'go'),
  language('php', 'PHP', 'php', 'php'),
  language('ruby', 'Ruby', 'ruby', 'rb'),
  { name: 'java', title: 'Java', command: 'java', files: ['VerifyOne.java', 'VerifyList.java'] },
];
