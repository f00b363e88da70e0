'use client'

import { type SurveyAppearance, type SurveyPosition, surveyPositions } from '#surveys/survey'
import { Checkbox } from '#ui/form/Checkbox'
import { ColourInput } from '#ui/form/ColourInput'
import { Field } from '#ui/form/Field'
import { NumberInput } from '#ui/form/NumberInput'
import { Panel } from '#ui/page/Panel'
import { Select } from '#ui/form/Select'
import { TextInput } from '#ui/form/TextInput'
import { useBuilder, useProblem } from './BuilderContext'

const colours = [
  { name: 'backgroundColor', label: 'Background' },
  { name: 'textColor', label: 'Text' },
  { name: 'buttonColor', label: 'Button' },
  { name: 'buttonTextColor', label: 'Text on the button' },
  { name: 'ratingColor', label: 'Rating' },
  { name: 'ratingActiveColor', label: 'Chosen rating' },
  { name: 'borderColor', label: 'Border' },
  { name: 'inputBackground', label: 'Background of fields' },
] as const

const positionLabels: Record<SurveyPosition, string> = {
  'top-left': 'Top left',
  'top-center': 'Top centre',
  'top-right': 'Top right',
  'middle-left': 'Middle left',
  'middle-center': 'Middle',
  'middle-right': 'Middle right',
  left: 'Bottom left',
  center: 'Bottom centre',
  right: 'Bottom right',
}
const positions = surveyPositions.map((value) => ({ value, label: positionLabels[value] }))

/** Edits colours, shape and position. */
export function AppearanceFields() {
  const { content, changeContent } = useBuilder()
  const { appearance } = content
  const put = (part: Partial<SurveyAppearance>) =>
    changeContent((before) => ({ ...before, appearance: { ...before.appearance, ...part } }))

  return (
    <>
      <Panel title="Colours">
        <div className="grid gap-4 sm:grid-cols-2">
          {colours.map(({ name, label }) => (
            <ColourField
              key={name}
              name={name}
              label={label}
              value={appearance[name]}
              onChange={(colour) => put({ [name]: colour })}
            />
          ))}
        </div>
      </Panel>
      <ShapeFields appearance={appearance} put={put} />
    </>
  )
}

interface AppearancePartProps {
  appearance: SurveyAppearance
  put: (part: Partial<SurveyAppearance>) => void
}

function ShapeFields({ appearance, put }: AppearancePartProps) {
  return (
    <Panel title="Shape and position">
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Position" hint="Of a popover." {...useProblem('content.appearance.position')}>
          <Select
            options={positions}
            value={appearance.position}
            onChange={(position) => put({ position })}
          />
        </Field>
        <Field
          label="Fonts"
          hint="Installed fonts or those of the page."
          {...useProblem('content.appearance.fontFamily')}
        >
          <TextInput
            value={appearance.fontFamily}
            onChange={({ target }) => put({ fontFamily: target.value })}
          />
        </Field>
        <Field label="Corner radius" {...useProblem('content.appearance.borderRadiusPx')}>
          <NumberInput
            value={appearance.borderRadiusPx}
            min={0}
            max={100}
            unit="px"
            onChange={(next) => put({ borderRadiusPx: next ?? 0 })}
          />
        </Field>
        <Field label="Maximum width" {...useProblem('content.appearance.maxWidthPx')}>
          <NumberInput
            value={appearance.maxWidthPx}
            min={200}
            max={1200}
            step={10}
            unit="px"
            onChange={(next) => put({ maxWidthPx: next ?? 360 })}
          />
        </Field>
        <Checkbox
          label="Progress bar"
          checked={appearance.progressBar}
          onChange={(progressBar) => put({ progressBar })}
        />
      </div>
    </Panel>
  )
}

function ColourField({
  name,
  label,
  value,
  onChange,
}: {
  name: string
  label: string
  value: string
  onChange: (next: string) => void
}) {
  return (
    <Field label={label} {...useProblem(`content.appearance.${name}`)}>
      <ColourInput value={value} onChange={onChange} swatchLabel={`Choose: ${label}`} />
    </Field>
  )
}
