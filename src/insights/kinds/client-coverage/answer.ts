/** The answer of the kind `client-coverage`. */
export interface ClientCoverageAnswer {
  /** Persons who were served a page with variants. */
  served: number
  /** Persons among them whose browser reported a variant in view. */
  seen: number
}
