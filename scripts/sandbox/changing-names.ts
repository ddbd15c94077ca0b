let count = 0;

/** `mx.blocked.test` as `mx.blocked.again-1.test`, then `again-2`, and so on: the same host under ever new domains. */
export function anew(name: string): string {
  count += 1;
  return name.replace(/\.test$/, `.again-${count}.test`);
}

/** The name behind one that `anew` made; any other as it is. */
export function steady(name: string): string {
  return name.replace(/\.again-\d+\.test$/, '.test');
}
