'use client'

import { useState, useTransition } from 'react'
import { Button } from '#ui/Button'
import { CopyField } from '#ui/copy/CopyField'
import { Field } from '#ui/form/Field'
import { FormError } from '#ui/form/FormError'
import { Panel } from '#ui/page/Panel'
import { Select } from '#ui/form/Select'
import { withNetworkErrors } from '#studio/parts/with-network-errors'
import { createTryingLink } from '../actions'

interface TryVariantProps {
  slug: string
  flagKey: string
  variants: readonly string[]
}

const lifetimeOptions = [
  { value: '1', label: '1 hour' },
  { value: '24', label: '1 day' },
  { value: '168', label: '1 week' },
]

/** Preview links, which force a variant in one browser before anyone else gets it. */
export function TryVariant({ slug, flagKey, variants }: TryVariantProps) {
  const choices = [...(variants.length > 0 ? variants.map(asVariant) : [turnedOn]), turnedOff]
  const [value, setValue] = useState(choices[0]?.value ?? turnedOn.value)
  const [hours, setHours] = useState('24')
  const [link, setLink] = useState<string>()
  const [error, setError] = useState<string>()
  const [isPending, startTransition] = useTransition()

  const make = () =>
    startTransition(async () => {
      const linkRequest = { values: { [flagKey]: valueIn(value) }, hours: Number(hours) }
      const answer = await withNetworkErrors(() => createTryingLink(slug, linkRequest))
      setError(answer.done ? undefined : answer.problems.map(({ message }) => message).join(' '))
      setLink(answer.done ? `${location.origin}${answer.path}` : undefined)
    })

  return (
    <Panel title="Preview link" description="Forces a value of this flag in the browser that opens the link.">
      <div className="flex flex-col gap-4">
        <div className="grid grid-cols-2 gap-3">
          <Field label="Value">
            <Select options={choices} value={value} onChange={setValue} />
          </Field>
          <Field label="Expires after">
            <Select options={lifetimeOptions} value={hours} onChange={setHours} />
          </Field>
        </div>
        {error && <FormError title={error} />}
        {link && (
          <CopyField
            label="Link"
            value={link}
            hint="Works on this host. Behind a proxy, use your site’s host instead."
          />
        )}
        <div>
          <Button onClick={make} busy={isPending}>
            Create link
          </Button>
        </div>
      </div>
    </Panel>
  )
}

const turnedOn = { value: 'on', label: 'On' }
const turnedOff = { value: 'off', label: 'Off' }
const asVariant = (key: string) => ({ value: `variant ${key}`, label: key })

function valueIn(word: string): boolean | string {
  return word.startsWith('variant ') ? word.slice('variant '.length) : word === 'on'
}
