/**
 * The result of `work`, or an error once `ms` have passed. The work itself continues: this is for calls that cannot be
 * cancelled and whose late answer does no harm.
 * @param whose named in the error
 */
export async function within<T>(ms: number, work: Promise<T>, whose = ''): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${whose === '' ? '' : `${whose}: `}no answer within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
