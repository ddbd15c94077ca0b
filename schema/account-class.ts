/** `bought`: has bought credits, or got them from an operator. `free`: everybody else. */
export type AccountClass = 'bought' | 'free';
