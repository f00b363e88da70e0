'use client'

import { useState } from 'react'
import { type AgentLevel, agentLevels, levelWords } from '#agent-access/levels'
import { Button } from '#ui/Button'
import { Field } from '#ui/form/Field'
import { Form } from '#ui/form/Form'
import { RadioGroup } from '#ui/form/RadioGroup'
import { Select } from '#ui/form/Select'
import { useChange } from '#studio/parts/Change'
import type { SearchParams } from '#studio/search-params'
import { allowAssistant, denyAssistant } from './consent'

export interface ConsentProject {
  id: number
  name: string
  mayConnect: boolean
  /** The levels that this member may grant. */
  levels: readonly AgentLevel[]
}

interface ConsentFormProps {
  /** The request as it stands in the address. */
  parameters: SearchParams
  client: string
  projects: readonly ConsentProject[]
}

const goTo = ({ location }: { location: string }) => window.location.assign(location)

export function ConsentForm({ parameters, client, projects }: ConsentFormProps) {
  const [projectId, setProjectId] = useState(() =>
    String((projects.find(({ mayConnect }) => mayConnect) ?? projects[0])?.id),
  )
  const [wantedLevel, setWantedLevel] = useState<AgentLevel>('read')
  const { form, isPending, notes } = useChange({
    change: (formData) => allowAssistant(parameters, formData),
    onDone: goTo,
  })
  const project = projects.find(({ id }) => String(id) === projectId)
  const level = project?.levels.includes(wantedLevel) ? wantedLevel : 'read'

  return (
    <>
      <Form {...form}>
        {notes}
        <Field label="Project" name="project">
          <Select
            options={projects.map(({ id, name, mayConnect }) => ({
              value: String(id),
              label: name,
              hint: mayConnect ? undefined : 'Assistants are switched off',
              disabled: !mayConnect,
            }))}
            value={projectId}
            onChange={setProjectId}
          />
        </Field>
        <RadioGroup
          label="It may"
          name="level"
          value={level}
          onChange={setWantedLevel}
          error={form.errors['level']}
          options={agentLevels.map((one) => ({
            value: one,
            label: levelWords[one].label,
            hint: project?.levels.includes(one) ? levelWords[one].means : 'Your role does not include it.',
            disabled: !project?.levels.includes(one),
          }))}
        />
        <Button
          type="submit"
          variant="primary"
          size="lg"
          wide
          busy={isPending}
          disabledReason={project?.mayConnect ? undefined : 'Assistants may not connect to this project.'}
        >
          Let it in
        </Button>
      </Form>
      <Denial parameters={parameters} />
      <p className="mt-4 text-xs text-pretty text-muted">
        Let it in only if you started this in {client} yourself. You can end it at any time in Settings →
        Agents.
      </p>
    </>
  )
}

function Denial({ parameters }: Pick<ConsentFormProps, 'parameters'>) {
  const { form, isPending, notes } = useChange({ change: () => denyAssistant(parameters), onDone: goTo })
  return (
    <div className="mt-3">
      <Form {...form}>
        {notes}
        <Button type="submit" size="lg" wide busy={isPending}>
          Refuse
        </Button>
      </Form>
    </div>
  )
}
