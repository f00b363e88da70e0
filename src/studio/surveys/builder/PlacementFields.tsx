'use client'

import type { SurveyPlacement } from '#surveys/survey'
import { ColourInput } from '#ui/form/ColourInput'
import { Field } from '#ui/form/Field'
import { Panel } from '#ui/page/Panel'
import { RadioGroup } from '#ui/form/RadioGroup'
import { TextInput } from '#ui/form/TextInput'
import type { DraftFieldsProps } from './AudienceFields'
import { useProblem } from './BuilderContext'

type PlacementKind = SurveyPlacement['kind']

const options: { value: PlacementKind; label: string; hint: string }[] = [
  { value: 'popover', label: 'Popover', hint: 'A box in a corner of the page.' },
  { value: 'tab', label: 'Tab', hint: 'A tab at the edge of the page that opens the survey.' },
  { value: 'selector', label: 'On an element', hint: 'Opens on a click on your element.' },
  { value: 'inline', label: 'Inline', hint: 'Inside a page or post. Works without JavaScript.' },
  { value: 'hosted', label: 'Hosted page', hint: 'At its own URL and by e-mail.' },
  { value: 'api', label: 'API', hint: 'Your code fetches questions and sends responses.' },
]

const made: Record<PlacementKind, SurveyPlacement> = {
  popover: { kind: 'popover' },
  tab: { kind: 'tab', label: 'Feedback', color: '#1f2937' },
  selector: { kind: 'selector', selector: '' },
  inline: { kind: 'inline' },
  hosted: { kind: 'hosted' },
  api: { kind: 'api' },
}

export function PlacementFields({ draft: { placement, hostedPage }, onChange }: DraftFieldsProps) {
  const put = (next: SurveyPlacement) => {
    // a survey that is only at its own address is of no use while that is closed
    const opens = next.kind === 'hosted' && placement.kind !== 'hosted'
    onChange({ placement: next, ...(opens && { hostedPage: { ...hostedPage, isOpen: true } }) })
  }
  const problem = useProblem('placement')
  return (
    <Panel title="Placement">
      <div className="flex flex-col gap-4">
        <RadioGroup
          label="Placement"
          labelHidden
          options={options}
          value={placement.kind}
          onChange={(kind) => put(made[kind])}
        />
        {placement.kind === 'tab' && (
          <div className="grid gap-4 sm:grid-cols-2">
            <Field label="Label of the tab" {...problem}>
              <TextInput
                value={placement.label}
                onChange={({ target }) => put({ ...placement, label: target.value })}
              />
            </Field>
            <Field label="Colour of the tab">
              <ColourInput
                value={placement.color}
                swatchLabel="Choose: colour of the tab"
                onChange={(color) => put({ ...placement, color })}
              />
            </Field>
          </div>
        )}
        {placement.kind === 'selector' && (
          <Field label="Selector of the element" hint="A CSS selector." {...problem}>
            <TextInput
              mono
              placeholder="#feedback"
              value={placement.selector}
              onChange={({ target }) => put({ ...placement, selector: target.value })}
            />
          </Field>
        )}
      </div>
    </Panel>
  )
}
