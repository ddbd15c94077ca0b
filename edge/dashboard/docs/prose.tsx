/** Text with `code` in backticks, and paragraphs between empty lines. */
export function Prose({ text }: { readonly text: string }) {
  return (
    <>
      {text
        .split(/\n\n+/)
        .filter((paragraph) => paragraph !== '')
        .map((paragraph, index) => (
          <p key={index}>
            <Inline text={paragraph} />
          </p>
        ))}
    </>
  );
}

export function Inline({ text }: { readonly text: string }) {
  return (
    <>
      {text.split('`').map((part, index) => {
        if (index % 2 === 1) return <code key={index}>{part}</code>;
        return <span key={index}>{part}</span>;
      })}
    </>
  );
}
