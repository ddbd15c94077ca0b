// The languages that have a program in schema/examples.

type Language = {
  /** Of its folder. */
  readonly name: string;
  readonly title: string;
  /** What runs the file. */
  readonly command: string;
  readonly file: string;
};

export const LANGUAGES: readonly Language[] = [
  { name: 'curl', title: 'curl', command: 'bash', file: 'verify.sh' },
  { name: 'python', title: 'Python', command: 'python3', file: 'verify.py' },
  { name: 'go', title: 'Go', command: 'go run', file: 'verify.go' },
  { name: 'php', title: 'PHP', command: 'php', file: 'verify.php' },
  { name: 'ruby', title: 'Ruby', command: 'ruby', file: 'verify.rb' },
  { name: 'java', title: 'Java', command: 'java', file: 'Verify.java' },
];
