'use client'

import { useNavigation } from '#ui/navigation/Navigation'
import { useState } from 'react'
import type { MatchingPersons } from '#insights/people/person-records'
import type { CohortDefinition, CohortName } from '#persons/cohort'
import { describeCohort } from '#persons/describe-cohort'
import { Field } from '#ui/form/Field'
import { number } from '#ui/format'
import { Panel } from '#ui/page/Panel'
import { TextInput } from '#ui/form/TextInput'
import { paths } from '#studio/paths'
import { matchText } from '#studio/numbers/match-text'
import type { NumberPeople } from '#studio/numbers/people-of-number'
import { ChangeForm, Submit } from '#studio/parts/ChangeForm'
import { lazyPanel } from '#studio/parts/lazy-panel'
import { LiveCount } from '#studio/parts/LiveCount'
import { countMatching, saveCohort } from './actions'
import { definitionOf, draftOf, isComplete } from './cohort-draft'

const CohortConditions = lazyPanel(
  async () => (await import('./CohortConditions')).CohortConditions,
  'h-24 w-full',
)

interface SavedCohort {
  id: string
  name: string
  about: string
  definition?: CohortDefinition | undefined
}

/** Edits a cohort's definition, and shows how many persons match before it is saved. */
export function CohortForm({
  slug,
  cohort,
  begun,
  people,
  cohorts,
  whyNot,
}: {
  slug: string
  /** Absent for a new one. */
  cohort?: SavedCohort
  /** The conditions that a new one begins with. */
  begun?: CohortDefinition | undefined
  /** The persons of the number that a new one begins with. */
  people?: NumberPeople | undefined
  cohorts: readonly CohortName[]
  whyNot: string | undefined
}) {
  const router = useNavigation()
  const [draft, setDraft] = useState(() => draftOf(cohort?.definition ?? begun))
  const definition = definitionOf(draft)
  const isPicked = cohort !== undefined && cohort.definition === undefined

  return (
    <ChangeForm
      change={(form) =>
        saveCohort(slug, cohort?.id, {
          name: form.get('name'),
          about: form.get('about') ?? '',
          ...(!isPicked && { definition: definition ?? { all: [] } }),
        })
      }
      saved="Cohort saved"
      onDone={({ id }) => cohort === undefined && router.push(paths.cohort(slug, id))}
    >
      <NameFields name={cohort?.name ?? people?.name} about={cohort?.about} />
      {people && <p className="text-muted">{matchText(people.total)}</p>}
      {!isPicked && (
        <Panel
          title="Matching criteria"
          footer={
            definition ? (
              <LiveCount slug={slug} of={definition} count={countMatching} words={wordsFor} />
            ) : (
              'Add a condition to see who matches.'
            )
          }
        >
          <div className="flex flex-col gap-3">
            {definition && (
              <p className="text-pretty text-muted">In this cohort: {describeCohort(definition, cohorts)}.</p>
            )}
            <CohortConditions draft={draft} onChange={setDraft} context={{ slug, cohorts }} />
          </div>
        </Panel>
      )}
      <div>
        <Submit
          disabledReason={
            whyNot ??
            (isPicked || isComplete(draft) ? undefined : 'Complete every condition first, or remove it.')
          }
        >
          {cohort ? 'Save' : 'Create cohort'}
        </Submit>
      </div>
    </ChangeForm>
  )
}

function NameFields({ name, about }: { name: string | undefined; about: string | undefined }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label="Name" name="name">
        <TextInput defaultValue={name} autoComplete="off" placeholder="Regular buyers" />
      </Field>
      <Field label="Description" name="about" optional>
        <TextInput defaultValue={about} autoComplete="off" />
      </Field>
    </div>
  )
}

function wordsFor({ matching, of }: MatchingPersons): string {
  return `Matches ${number(matching)} of ${number(of)} people of the last 30 days.`
}
