import curl from '../../../schema/examples/curl/verify_one.sh' with { type: 'text' };
import go from '../../../schema/examples/go/verify_one.go' with { type: 'text' };
import java from '../../../schema/examples/java/VerifyOne.java' with { type: 'text' };
import php from '../../../schema/examples/php/verify_one.php' with { type: 'text' };
import python from '../../../schema/examples/python/verify_one.py' with { type: 'text' };
import ruby from '../../../schema/examples/ruby/verify_one.rb' with { type: 'text' };

/** A first program in each language, which a test runs against the service, and how it is run. */
export const PROGRAMS = {
  curl: { run: 'bash verify_one.sh', text: curl },
  Python: { run: 'python3 verify_one.py', text: python },
  Go: { run: 'go run verify_one.go', text: go },
  PHP: { run: 'php verify_one.php', text: php },
  Ruby: { run: 'ruby verify_one.rb', text: ruby },
  Java: { run: 'java VerifyOne.java', text: java },
} as const;

export type Language = keyof typeof PROGRAMS;
