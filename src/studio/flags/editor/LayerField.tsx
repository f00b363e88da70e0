'use client'

import { Field } from '#ui/form/Field'
import { NumberInput } from '#ui/form/NumberInput'
import { Select } from '#ui/form/Select'
import type { SettingDraft } from './draft'
import type { EditorChoices } from './editor-choices'

interface LayerFieldProps {
  setting: SettingDraft
  onChange: (part: Partial<SettingDraft>) => void
  choices: EditorChoices
}

const noLayer = 'none'

/** The slice of a layer, whose visitors alone may get the flag. */
export function LayerField({ setting: { layer }, onChange, choices: { layers } }: LayerFieldProps) {
  if (layers.length === 0) return null
  const choose = (id: string) =>
    onChange({ layer: id === noLayer ? undefined : { from: 0, until: 50, ...layer, id: Number(id) } })
  return (
    <div className="grid items-start gap-4 sm:grid-cols-[1fr_9rem_9rem]">
      <Field label="Layer" hint="Flags in one layer never share a visitor.">
        <Select
          options={[
            { value: noLayer, label: 'No layer' },
            ...layers.map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
          value={layer ? String(layer.id) : noLayer}
          onChange={choose}
        />
      </Field>
      {layer && (
        <>
          <Field label="Slice from">
            <NumberInput
              value={layer.from}
              onChange={(from) => onChange({ layer: { ...layer, from: from ?? 0 } })}
              min={0}
              max={100}
              step={0.01}
              unit="%"
            />
          </Field>
          <Field label="Slice until">
            <NumberInput
              value={layer.until}
              onChange={(until) => onChange({ layer: { ...layer, until: until ?? 100 } })}
              min={0}
              max={100}
              step={0.01}
              unit="%"
            />
          </Field>
        </>
      )}
    </div>
  )
}
