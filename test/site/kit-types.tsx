import {
  Experiment,
  type FlagValue,
  type PostLayoutProps,
  Survey,
  useFlag,
  Variant,
  visit,
} from '@tilth/site'

/** `team-site/tilth-env.d.ts` names one flag and one survey. The compiler fails where a mistake is not one any more. */
export function WrongKeys({ post }: PostLayoutProps) {
  const decided: 'control' | 'yearly' | false = useFlag('pricing')
  // @ts-expect-error no such flag
  useFlag('prising')
  // @ts-expect-error no such flag
  visit().flag('prising')
  // @ts-expect-error no such variant
  const other: FlagValue = 'weekly'
  // @ts-expect-error posts have no such field
  const missing = post.titel
  return (
    <Experiment of="pricing">
      <Variant of="pricing" is="yearly">
        {decided}
      </Variant>
      {/* @ts-expect-error no such variant */}
      <Variant of="pricing" is="weekly">
        {other} {missing}
      </Variant>
      {/* @ts-expect-error no such flag */}
      <Variant of="prising" />
      <Survey of="NPS" />
      {/* @ts-expect-error no such survey */}
      <Survey of="NSP" />
    </Experiment>
  )
}
