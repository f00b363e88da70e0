import {
  collection,
  entry,
  Experiment,
  type FlagValue,
  type PostLayoutProps,
  Survey,
  useFlag,
  Variant,
  visit,
} from '@tilth/site'

/** `team-site/tilth-env.d.ts` names one flag, one survey and two collections. The compiler fails where a mistake is not one any more. */
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

export async function WrongEntries() {
  const [job] = await collection('jobs')
  const from: Date | undefined = job?.data.from
  // @ts-expect-error no such field
  const until = job?.data.until
  // @ts-expect-error no such collection
  await entry('job', 'cook')
  const note = await entry('notes', 'first')
  // @ts-expect-error fields without a schema may be anything
  const title: string = note?.data['title']
  return (
    <p>
      {String(from)} {until} {title} {note && <note.Content />}
    </p>
  )
}
