import type { PropertyType } from '#events/taxonomy'

/** The kind of value that an operator takes. */
export type OperandKind = 'nothing' | 'one' | 'many' | 'number' | 'range' | 'date' | 'version' | 'pattern'

/** An operator in forms, sentences and the API. Its semantics are in `operators.ts`. */
interface OperatorWords {
  /** Stands between the property and the value: "Browser *is* Chrome". */
  label: string
  takes: OperandKind
  /** The property types for which forms offer it. It is defined for all types. */
  suits: readonly PropertyType[]
}

const written: readonly PropertyType[] = ['text', 'list']
const compared: readonly PropertyType[] = ['number']
const dated: readonly PropertyType[] = ['time']
const versioned: readonly PropertyType[] = ['text']
const anything: readonly PropertyType[] = ['text', 'number', 'boolean', 'time', 'list']

/** All operators in the order of forms, under PostHog's names, which imported flags use. */
export const vocabulary = {
  exact: { label: 'is', takes: 'many', suits: ['text', 'number', 'boolean'] },
  is_not: { label: 'is not', takes: 'many', suits: ['text', 'number', 'boolean'] },
  icontains: { label: 'contains', takes: 'one', suits: written },
  not_icontains: { label: 'does not contain', takes: 'one', suits: written },
  starts_with: { label: 'starts with', takes: 'one', suits: written },
  not_starts_with: { label: 'does not start with', takes: 'one', suits: written },
  ends_with: { label: 'ends with', takes: 'one', suits: written },
  not_ends_with: { label: 'does not end with', takes: 'one', suits: written },
  regex: { label: 'matches', takes: 'pattern', suits: written },
  not_regex: { label: 'does not match', takes: 'pattern', suits: written },
  gt: { label: 'is more than', takes: 'number', suits: compared },
  gte: { label: 'is at least', takes: 'number', suits: compared },
  lt: { label: 'is less than', takes: 'number', suits: compared },
  lte: { label: 'is at most', takes: 'number', suits: compared },
  between: { label: 'is between', takes: 'range', suits: compared },
  is_date_before: { label: 'is before', takes: 'date', suits: dated },
  is_date_after: { label: 'is after', takes: 'date', suits: dated },
  is_date_exact: { label: 'is on', takes: 'date', suits: dated },
  semver_eq: { label: 'is version', takes: 'version', suits: versioned },
  semver_neq: { label: 'is not version', takes: 'version', suits: versioned },
  semver_gt: { label: 'is newer than version', takes: 'version', suits: versioned },
  semver_gte: { label: 'is at least version', takes: 'version', suits: versioned },
  semver_lt: { label: 'is older than version', takes: 'version', suits: versioned },
  semver_lte: { label: 'is at most version', takes: 'version', suits: versioned },
  semver_tilde: { label: 'is a patch of version', takes: 'version', suits: versioned },
  semver_caret: { label: 'is compatible with version', takes: 'version', suits: versioned },
  semver_wildcard: { label: 'is among versions', takes: 'version', suits: versioned },
  is_set: { label: 'is set', takes: 'nothing', suits: anything },
  is_not_set: { label: 'is not set', takes: 'nothing', suits: anything },
} as const satisfies Record<string, OperatorWords>

export type OperatorName = keyof typeof vocabulary

export const isOperator = (name: string): name is OperatorName => Object.hasOwn(vocabulary, name)

export const operatorNames: readonly OperatorName[] = Object.keys(vocabulary).filter(isOperator)
