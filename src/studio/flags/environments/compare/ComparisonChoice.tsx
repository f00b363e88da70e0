'use client'

import { useAddressQuestion } from '#ui/navigation/Navigation'
import { number } from '#ui/format'
import { Checkbox } from '#ui/form/Checkbox'
import { LinkButton } from '#ui/LinkButton'
import { Select } from '#ui/form/Select'
import { type ComparisonQuestion, paths } from '#studio/paths'

/** Chooses the two environments, and whether equal flags are shown; all of it is in the address. */
export function ComparisonChoice({
  slug,
  question: answered,
  environments,
  different,
  of,
}: {
  slug: string
  question: ComparisonQuestion
  environments: readonly string[]
  different: number
  of: number
}) {
  const [question, ask] = useAddressQuestion(answered, (next) => paths.compareEnvironments(slug, next), {
    by: 'push',
  })
  const options = environments.map((value) => ({ value, label: value }))
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Select
        fit
        lead="Compare"
        aria-label="First environment"
        options={options}
        value={question.left ?? null}
        onChange={(left) => ask({ left })}
      />
      <Select
        fit
        lead="With"
        aria-label="Second environment"
        options={options}
        value={question.right ?? null}
        onChange={(right) => ask({ right })}
      />
      {question.flag === undefined ? (
        <Checkbox
          label="Show equal flags"
          checked={question.show === 'all'}
          onChange={(isAll) => ask({ show: isAll ? 'all' : undefined })}
        />
      ) : (
        <LinkButton href={paths.compareEnvironments(slug, { ...question, flag: undefined })} variant="quiet">
          All flags
        </LinkButton>
      )}
      <p className="text-muted tabular-nums">
        {number(different)} of {number(of)} flags {different === 1 ? 'differs' : 'differ'}
      </p>
    </div>
  )
}
