'use client'

import { useState } from 'react'
import { Field } from '#ui/form/Field'
import { Select } from '#ui/form/Select'
import { Panel } from '#ui/page/Panel'
import type { TemplateChoice } from '../editor/choices'
import type { ExperimentDraft } from '../editor/draft'

interface TemplatePickerProps {
  templates: readonly TemplateChoice[]
  /** The id of the template that the form begins with. */
  initial: string | undefined
  metrics: ExperimentDraft['metrics']
  onChoose: (part: Pick<ExperimentDraft, 'hypothesis' | 'metrics'>) => void
}

const none = 'none'

/** Fills the hypothesis and the metrics in from a template. */
export function TemplatePicker({ templates, initial, metrics, onChoose }: TemplatePickerProps) {
  const [id, setId] = useState(initial ?? none)
  const chosen = templates.find((template) => template.id === id)
  function choose(next: string) {
    setId(next)
    const template = templates.find((one) => one.id === next)
    if (template) onChoose({ hypothesis: template.hypothesis, metrics: template.metrics })
  }
  const replaces = 'A template replaces the hypothesis and the metrics below.'
  return (
    <Panel>
      <Field
        label="Start from a template"
        optional
        hint={
          chosen
            ? `${chosen.description} Check that its events are those that you send.`
            : metrics.length > 0
              ? replaces
              : 'Fills in the hypothesis and the metrics.'
        }
      >
        <Select
          options={[
            { value: none, label: 'No template' },
            ...templates.map(({ id: value, name }) => ({ value, label: name })),
          ]}
          value={chosen?.id ?? none}
          onChange={choose}
        />
      </Field>
    </Panel>
  )
}
