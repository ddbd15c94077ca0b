import { postfixWith } from './postfix-with.ts';

/** Postscreen whose tests after the greeting defer every recipient of a client's first session. */
export const postscreen = postfixWith({
  name: 'postscreen-first',
  programs: [],
  service: 'postscreen',
  options: ({ folder }) => ({
    postscreen_cache_map: `btree:${folder}/data/cache`,
    postscreen_greet_wait: '1s',
    postscreen_pipelining_enable: 'yes',
    postscreen_non_smtp_command_enable: 'yes',
    postscreen_bare_newline_enable: 'yes',
  }),
  batches: [[40, 6]],
});
