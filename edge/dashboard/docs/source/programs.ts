/* oxlint-disable import/default -- these are texts, not modules */
import curlOne from '../../../../schema/examples/curl/verify_one.sh' with { type: 'text' };
import curlList from '../../../../schema/examples/curl/verify_list.sh' with { type: 'text' };
import curlRetries from '../../../../schema/examples/curl/verify_with_retries.sh' with { type: 'text' };
import pythonOne from '../../../../schema/examples/python/verify_one.py' with { type: 'text' };
import pythonList from '../../../../schema/examples/python/verify_list.py' with { type: 'text' };
import pythonRetries from '../../../../schema/examples/python/verify_with_retries.py' with { type: 'text' };
import goOne from '../../../../schema/examples/go/verify_one.go' with { type: 'text' };
import goList from '../../../../schema/examples/go/verify_list.go' with { type: 'text' };
import goRetries from '../../../../schema/examples/go/verify_with_retries.go' with { type: 'text' };
import phpOne from '../../../../schema/examples/php/verify_one.php' with { type: 'text' };
import phpList from '../../../../schema/examples/php/verify_list.php' with { type: 'text' };
import phpRetries from '../../../../schema/examples/php/verify_with_retries.php' with { type: 'text' };
import rubyOne from '../../../../schema/examples/ruby/verify_one.rb' with { type: 'text' };
import rubyList from '../../../../schema/examples/ruby/verify_list.rb' with { type: 'text' };
import rubyRetries from '../../../../schema/examples/ruby/verify_with_retries.rb' with { type: 'text' };
import javaOne from '../../../../schema/examples/java/VerifyOne.java' with { type: 'text' };
import javaList from '../../../../schema/examples/java/VerifyList.java' with { type: 'text' };
import javaRetries from '../../../../schema/examples/java/VerifyWithRetries.java' with { type: 'text' };
import signUpCheck from '../../../../schema/examples/sign-up/check-address.mjs' with { type: 'text' };
import signUpExpress from '../../../../schema/examples/sign-up/express.mjs' with { type: 'text' };
import signUpWorker from '../../../../schema/examples/sign-up/worker.mjs' with { type: 'text' };
import type { DocName } from '../../route/paths.ts';

// The programs in schema/examples, which a test runs against the service, as they are shown here.

export type Program = {
  readonly title: string;
  readonly file: string;
  readonly run: string | null;
  readonly text: string;
};

const TITLES = [
  ['One address', ' someone@example.com'],
  ['A list, each result as it is known', ' < list.txt'],
  ['With retries, for any failure', ' a@example.com b@example.com'],
] as const;

function programs(command: string, files: ReadonlyArray<readonly [file: string, text: string]>): readonly Program[] {
  return files.map(([file, text], index) => {
    const [title, input] = TITLES[index] ?? ['', ''];
    return { title, file, run: `${command} ${file}${input}`, text };
  });
}

export const PROGRAMS: Readonly<Record<DocName, readonly Program[]>> = {
  curl: programs('bash', [
    ['verify_one.sh', curlOne],
    ['verify_list.sh', curlList],
    ['verify_with_retries.sh', curlRetries],
  ]),
  python: programs('python3', [
    ['verify_one.py', pythonOne],
    ['verify_list.py', pythonList],
    ['verify_with_retries.py', pythonRetries],
  ]),
  go: programs('go run', [
    ['verify_one.go', goOne],
    ['verify_list.go', goList],
    ['verify_with_retries.go', goRetries],
  ]),
  php: programs('php', [
    ['verify_one.php', phpOne],
    ['verify_list.php', phpList],
    ['verify_with_retries.php', phpRetries],
  ]),
  ruby: programs('ruby', [
    ['verify_one.rb', rubyOne],
    ['verify_list.rb', rubyList],
    ['verify_with_retries.rb', rubyRetries],
  ]),
  java: programs('java', [
    ['VerifyOne.java', javaOne],
    ['VerifyList.java', javaList],
    ['VerifyWithRetries.java', javaRetries],
  ]),
  typescript: [],
  'sign-up-form': [
    { title: 'The check', file: 'check-address.mjs', run: null, text: signUpCheck },
    { title: 'In a Cloudflare Worker', file: 'worker.mjs', run: null, text: signUpWorker },
    { title: 'In Express', file: 'express.mjs', run: null, text: signUpExpress },
  ],
};
