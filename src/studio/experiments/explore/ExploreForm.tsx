'use client'

import { useNavigation } from '#ui/navigation/Navigation'
import { useState } from 'react'
import { Button } from '#ui/Button'
import { Field } from '#ui/form/Field'
import { Select } from '#ui/form/Select'
import { TextInput } from '#ui/form/TextInput'
import { paths } from '#studio/paths'
import { divisions, type Exploration } from './exploration-question'

interface ExploreFormProps {
  slug: string
  id: string
  exploration: Exploration
  metrics: readonly { value: string; label: string }[]
}

/** By what the results are divided; it stands in the address. */
export function ExploreForm({ slug, id, exploration, metrics }: ExploreFormProps) {
  const router = useNavigation()
  const [draft, setDraft] = useState(exploration)
  const isSession = draft.by === 'session'
  return (
    <form
      className="flex flex-wrap items-end gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        router.push(paths.experimentExplore(slug, id, draft))
      }}
    >
      <div className="w-72 max-w-full">
        <Field label="Divide by">
          <Select options={divisions} value={draft.by} onChange={(by) => setDraft({ ...draft, by })} />
        </Field>
      </div>
      <div className="w-56 max-w-full">
        <Field label="Property">
          <TextInput
            mono
            value={draft.key}
            onChange={({ target }) => setDraft({ ...draft, key: target.value.trim() })}
            placeholder={isSession ? '$channel' : draft.by === 'person' ? '$initial_referrer' : '$browser'}
            autoComplete="off"
            spellCheck={false}
          />
        </Field>
      </div>
      <div className="w-48 max-w-full">
        <Field label="Metric">
          <Select
            options={metrics}
            value={draft.metric}
            onChange={(metric) => setDraft({ ...draft, metric })}
          />
        </Field>
      </div>
      <Button
        type="submit"
        variant="primary"
        {...(draft.key === '' && { disabledReason: 'Name a property first.' })}
      >
        Show results
      </Button>
    </form>
  )
}
