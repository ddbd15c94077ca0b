/** What is read of a host as the operator's API lists it. */
type Differing = {
  readonly id: string;
  readonly differs?:
    | ReadonlyArray<{
        readonly provider: string;
        readonly alone: number;
        readonly split: number;
        readonly of: number;
        readonly said?: readonly Witness[] | undefined;
      }>
    | undefined;
};
type Witness = {
  readonly host: string;
  readonly accepts: number;
  readonly refuses: number;
  readonly noMail: number;
};

/** One sentence for each kind of receiver about which a host disagrees with its peers, with what each of them said there. Pure. */
export function differenceLines({ id, differs = [] }: Differing): readonly string[] {
  return differs.map(({ provider, alone, split, of, said = [] }) => {
    const at = provider === 'others' ? 'at unlisted providers' : `at ${provider}`;
    const undecided = split === 0 ? '' : `, and in ${split} without a third host to decide`;
    return `${id} differs from its peers ${at}: alone in ${alone} of ${of} addresses${undecided}${wordsOf(said)}`;
  });
}

/** If two of three are sick alike, the healthy one is named: what each said tells. */
function wordsOf(said: readonly Witness[]): string {
  return said.length === 0 ? '' : ` (${saidInWords(said)})`;
}

/** What each host said there. Pure. */
export function saidInWords(said: readonly Witness[]): string {
  return said
    .map(({ host, accepts, refuses, noMail }) => `${host} accepted ${accepts}, refused ${refuses}, no mail ${noMail}`)
    .join('; ');
}
