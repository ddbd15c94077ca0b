import curl from '../../../schema/examples/curl/verify.sh' with { type: 'text' };
import go from '../../../schema/examples/go/verify.go' with { type: 'text' };
import java from '../../../schema/examples/java/Verify.java' with { type: 'text' };
import php from '../../../schema/examples/php/verify.php' with { type: 'text' };
import python from '../../../schema/examples/python/verify.py' with { type: 'text' };
import ruby from '../../../schema/examples/ruby/verify.rb' with { type: 'text' };

/** A first program in each language, which a test runs against the service, and how it is run. */
export const PROGRAMS = {
  curl: { run: 'bash verify.sh', text: curl },
  Python: { run: 'python3 verify.py', text: python },
  Go: { run: 'go run verify.go', text: go },
  PHP: { run: 'php verify.php', text: php },
  Ruby: { run: 'ruby verify.rb', text: ruby },
  Java: { run: 'java Verify.java', text: java },
} as const;

export type Language = keyof typeof PROGRAMS;
