import { Field } from '#ui/form/Field'
import { Select } from '#ui/form/Select'
import { Panel } from '#ui/page/Panel'
import type { TemplateChoice } from '../editor/choices'
import type { ExperimentDraft } from '../editor/draft'

interface TemplatePickerProps {
  templates: readonly TemplateChoice[]
  /** The id of the template that is filled in. */
  chosen: string | undefined
  metrics: ExperimentDraft['metrics']
  onChoose: (template: TemplateChoice | undefined) => void
}

const none = 'none'

/** Fills the hypothesis and the metrics in from a template. */
export function TemplatePicker({ templates, chosen, metrics, onChoose }: TemplatePickerProps) {
  const template = templates.find(({ id }) => id === chosen)
  return (
    <Panel>
      <Field label="Start from a template" optional hint={hintOf(template, metrics)}>
        <Select
          options={[
            { value: none, label: 'No template' },
            ...templates.map(({ id: value, name }) => ({ value, label: name })),
          ]}
          value={template?.id ?? none}
          onChange={(id) => onChoose(templates.find((one) => one.id === id))}
        />
      </Field>
    </Panel>
  )
}

function hintOf(template: TemplateChoice | undefined, metrics: ExperimentDraft['metrics']): string {
  if (template) return `${template.description} Check that its events are those that you send.`
  return metrics.length > 0
    ? 'A template replaces the hypothesis and the metrics.'
    : 'Fills in the hypothesis and the metrics.'
}
