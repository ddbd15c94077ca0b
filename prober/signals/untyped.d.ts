// A package that ships no types.

declare module 'role-based-email-addresses' {
  const roles: readonly string[];
  export default roles;
}
