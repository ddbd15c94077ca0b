import { type ComponentChildren } from 'preact';

type Props = {
  readonly tone: 'plain' | 'good' | 'doubt' | 'wrong';
  readonly title: string;
  readonly children?: ComponentChildren;
};

/** Something that the reader should know now; read out when it appears. */
export function Notice({ tone, title, children }: Props) {
  return (
    <section class={`notice ${tone}`} role={tone === 'wrong' ? 'alert' : 'status'}>
      <p class="notice-title">{title}</p>
      {children}
    </section>
  );
}
