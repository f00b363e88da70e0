'use client'

import { useAddressParameters } from '#ui/navigation/Navigation'
import { number, pluralWord } from '#ui/format'
import { Checkbox } from '#ui/form/Checkbox'
import { LinkButton } from '#ui/LinkButton'
import { Select } from '#ui/form/Select'
import { type ComparisonParameters, paths } from '#studio/paths'

/** Chooses the two environments, and whether equal flags are shown; all of it is in the address. */
export function ComparisonChoice({
  slug,
  parameters: answered,
  environments,
  different,
  of,
}: {
  slug: string
  parameters: ComparisonParameters
  environments: readonly string[]
  different: number
  of: number
}) {
  const [parameters, ask] = useAddressParameters(answered, (next) => paths.compareEnvironments(slug, next), {
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
        value={parameters.left ?? null}
        onChange={(left) => ask({ left })}
      />
      <Select
        fit
        lead="With"
        aria-label="Second environment"
        options={options}
        value={parameters.right ?? null}
        onChange={(right) => ask({ right })}
      />
      {parameters.flag === undefined ? (
        <Checkbox
          label="Show equal flags"
          checked={parameters.show === 'all'}
          onChange={(isAll) => ask({ show: isAll ? 'all' : undefined })}
        />
      ) : (
        <LinkButton
          href={paths.compareEnvironments(slug, { ...parameters, flag: undefined })}
          variant="quiet"
        >
          All flags
        </LinkButton>
      )}
      <p className="text-muted tabular-nums">
        {number(different)} of {number(of)} flags {pluralWord(different, 'differs', 'differ')}
      </p>
    </div>
  )
}
