import type { InputProblem } from '#projects/problems'
import type { ConditionSet, Flag } from '../flag'

/** The parts of a flag that must be consistent. */
type CompleteFlag = Pick<
  Flag,
  | 'kind'
  | 'variants'
  | 'payloads'
  | 'isSecret'
  | 'servedTo'
  | 'bucketBy'
  | 'keepsThroughSignIn'
  | 'environments'
>

/** Finds inconsistencies between parts of a flag that are valid individually. */
export function objectionsTo(flag: CompleteFlag): InputProblem[] {
  return checks.flatMap((check) => check(flag))
}

const checks: readonly ((flag: CompleteFlag) => InputProblem[])[] = [
  variantsFitKind,
  variantsAreDistinct,
  variantsAreWhole,
  secretsAreConfigurations,
  onlyPersonsSignIn,
  payloadsAreOfValues,
  setsNameVariants,
]

const problem = (field: string, message: string): InputProblem => ({ field, message })

function variantsFitKind({ kind, variants }: CompleteFlag): InputProblem[] {
  if (kind === 'variants')
    return variants.length > 0 ? [] : [problem('variants', 'Add a variant, or make the flag a switch.')]
  return variants.length === 0
    ? []
    : [
        problem(
          'variants',
          'Only a flag of the kind “variants” has variants. Change its kind or leave them out.',
        ),
      ]
}

function variantsAreDistinct({ variants }: CompleteFlag): InputProblem[] {
  const doubled = variants.find(({ key }, place) => variants.findIndex((one) => one.key === key) < place)
  return doubled ? [problem('variants', `There are two variants “${doubled.key}”. Rename one of them.`)] : []
}

function variantsAreWhole({ variants }: CompleteFlag): InputProblem[] {
  const hundredths = variants.reduce((sum, { percentage }) => sum + Math.round(percentage * 100), 0)
  return variants.length === 0 || hundredths === 10_000
    ? []
    : [problem('variants', `The variants together are ${hundredths / 100} percent. Make them 100.`)]
}

function secretsAreConfigurations({ isSecret, kind, servedTo }: CompleteFlag): InputProblem[] {
  if (!isSecret) return []
  if (kind !== 'config') return [problem('isSecret', 'Only a configuration can be secret.')]
  return servedTo === 'servers'
    ? []
    : [problem('servedTo', 'A secret configuration is served to servers alone. Say "servers".')]
}

function onlyPersonsSignIn({ keepsThroughSignIn, bucketBy }: CompleteFlag): InputProblem[] {
  return !keepsThroughSignIn || bucketBy.by === 'person'
    ? []
    : [
        problem(
          'keepsThroughSignIn',
          'Signing in changes neither device nor group: this is for persons alone.',
        ),
      ]
}

function payloadsAreOfValues({ payloads, variants, environments }: CompleteFlag): InputProblem[] {
  const values = new Set(['true', ...variants.map(({ key }) => key)])
  const places: [string, Readonly<Record<string, string>>][] = [
    ['payloads', payloads],
    ...Object.entries(environments).map(([name, one]): [string, Readonly<Record<string, string>>] => [
      `environments.${name}.payloads`,
      one.payloads,
    ]),
  ]
  return places.flatMap(([field, given]) =>
    Object.keys(given)
      .filter((value) => !values.has(value))
      .map((value) => problem(field, `There is a payload for “${value}”, but no such variant.`)),
  )
}

function setsNameVariants({ variants, environments }: CompleteFlag): InputProblem[] {
  const known = new Set(variants.map(({ key }) => key))
  return Object.entries(environments).flatMap(([name, { conditions }]) =>
    conditions.flatMap((set, place) =>
      unknownVariant(set, known, `environments.${name}.conditions.${place}`),
    ),
  )
}

function unknownVariant(
  { variant }: ConditionSet,
  known: ReadonlySet<string>,
  field: string,
): InputProblem[] {
  return variant === undefined || known.has(variant)
    ? []
    : [problem(`${field}.variant`, `This set gives the variant “${variant}”, which the flag does not have.`)]
}
