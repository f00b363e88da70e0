/** A value whose lists are changed by being replaced. What is `Kept` stays as it is. */
export type Unchanging<Value, Kept = never> = Value extends Kept | Date
  ? Value
  : Value extends (infer Member)[]
    ? readonly Unchanging<Member, Kept>[]
    : Value extends Record<string, unknown>
      ? { [Key in keyof Value]: Unchanging<Value[Key], Kept> }
      : Value
