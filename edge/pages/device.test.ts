import { expect, test } from 'vitest';
import { deviceOf } from './device.ts';

const LINUX = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';

test.each([
  [LINUX, 'Chrome on Linux'],
  [`${LINUX} Edg/156.0`, 'Edge on Linux'],
  [`${LINUX} OPR/140.0`, 'Opera on Linux'],
  [LINUX.replace('X11; Linux x86_64', 'Linux; Android 16; Pixel 9'), 'Chrome on Android'],
  [LINUX.replace('X11; Linux x86_64', 'Windows NT 10.0; Win64; x64'), 'Chrome on Windows'],
  [LINUX.replace('Linux x86_64', 'CrOS x86_64 16000.0.0'), 'Chrome on ChromeOS'],
  [`${IPHONE} Version/26.0 Mobile/15E148 Safari/604.1`, 'Safari on iOS'],
  [`${IPHONE} CriOS/156.0 Mobile/15E148 Safari/604.1`, 'Chrome on iOS'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on macOS'],
  ['Firefox/140.0', 'Firefox'],
  ['curl/8.0', 'Unknown browser'],
])('%s is %s', (agent, device) => {
  expect(deviceOf(new Request('https://verify.test', { headers: { 'user-agent': agent } }))).toBe(device);
});

test('nothing else from the User-Agent is kept', () => {
  const headers = { 'user-agent': 'somebody@example.com Firefox/1 on <script>' };
  expect(deviceOf(new Request('https://verify.test', { headers }))).toBe('Firefox');
});
