// The examples for customers, as the texts that they are: `with { type: 'text' }`.

declare module '*.sh' {
  const text: string;
  export default text;
}
declare module '*.py' {
  const text: string;
  export default text;
}
declare module '*.go' {
  const text: string;
  export default text;
}
declare module '*.php' {
  const text: string;
  export default text;
}
declare module '*.rb' {
  const text: string;
  export default text;
}
declare module '*.java' {
  const text: string;
  export default text;
}
declare module '*.mjs' {
  const text: string;
  export default text;
}
