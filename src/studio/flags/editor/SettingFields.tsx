'use client'

import { type ReactNode, useState } from 'react'
import { mainEnvironment } from '#flags/flag'
import { Panel } from '#ui/page/Panel'
import { Field } from '#ui/form/Field'
import { Select } from '#ui/form/Select'
import { Switch } from '#ui/form/Switch'
import { percentText } from '#flags/words'
import { NumberInput } from '#ui/form/NumberInput'
import { type FlagDraft, noSetting, type SettingDraft } from './draft'
import type { EditorChoices } from './editor-choices'
import { ConditionSetList } from './ConditionSetList'
import { PayloadField, withPayload } from './ValueFields'

interface SettingFieldsProps {
  draft: FlagDraft
  environment: string
  onChange: (part: Partial<FlagDraft>) => void
  choices: EditorChoices
  /** Fields between the switch and the condition sets. */
  children: ReactNode
}

/** The flag's setting in one environment. */
export function SettingFields({ draft, environment, onChange, choices, children }: SettingFieldsProps) {
  const setting = draft.environments[environment] ?? noSetting
  const put = (part: Partial<SettingDraft>) =>
    onChange({ environments: { ...draft.environments, [environment]: { ...setting, ...part } } })

  return (
    <>
      <Panel>
        <div className="flex flex-col gap-4">
          <Switch
            place="end"
            label={`${setting.isOn ? 'On' : 'Off'} in ${environment}`}
            hint={
              setting.isOn
                ? 'The condition sets below apply.'
                : 'Off for everyone. The condition sets below are not evaluated.'
            }
            checked={setting.isOn}
            onChange={(isOn) => put({ isOn })}
          />
          <HoldoutField setting={setting} onChange={put} choices={choices} />
          <LayerField setting={setting} onChange={put} choices={choices} />
          {(environment !== mainEnvironment || Object.keys(setting.payloads).length > 0) && (
            <OwnValues
              key={environment}
              draft={draft}
              environment={environment}
              setting={setting}
              onChange={(payloads) => put({ payloads })}
            />
          )}
        </div>
      </Panel>
      {children}
      <section aria-label={`Release conditions in ${environment}`} className="flex flex-col gap-3">
        <h2 className="text-base font-semibold">Release conditions</h2>
        <ConditionSetList
          sets={setting.sets}
          onChange={(sets) => put({ sets })}
          flag={draft}
          choices={choices}
        />
      </section>
    </>
  )
}

const noHoldout = 'none'

function HoldoutField({
  setting: { holdout },
  onChange,
  choices: { holdouts },
}: {
  setting: SettingDraft
  onChange: (part: Partial<SettingDraft>) => void
  choices: EditorChoices
}) {
  if (holdouts.length === 0) return null
  const choose = (id: string) => {
    const chosen = holdouts.find((one) => String(one.id) === id)
    onChange({ holdout: chosen && { id: chosen.id, percentage: chosen.percentage } })
  }
  return (
    <Field label="Holdout" hint="Held-out people do not get this flag, whatever the conditions.">
      <Select
        options={[
          { value: noHoldout, label: 'No holdout' },
          ...holdouts.map(({ id, name, percentage }) => ({
            value: String(id),
            label: `${name}: ${percentText(percentage)}`,
          })),
        ]}
        value={holdout ? String(holdout.id) : noHoldout}
        onChange={choose}
      />
    </Field>
  )
}

/** Values of this environment's own, where they differ. */
function OwnValues({
  draft,
  environment,
  setting: { payloads },
  onChange,
}: {
  draft: FlagDraft
  environment: string
  setting: SettingDraft
  onChange: (payloads: Record<string, string>) => void
}) {
  const [isOpen, setOpen] = useState(Object.keys(payloads).length > 0)
  const keys = draft.kind === 'variants' ? draft.variants.map(({ key }) => key) : ['true']

  return (
    <>
      <Switch
        place="end"
        label={`Payloads in ${environment}`}
        hint="Leave empty to use the default payload."
        checked={isOpen}
        onChange={(isOn) => {
          setOpen(isOn)
          if (!isOn) onChange({})
        }}
      />
      {isOpen &&
        keys.map((key) => (
          <PayloadField
            key={key}
            label={`${key === 'true' ? 'Value' : `Payload of ${key}`} in ${environment}`}
            optional
            value={payloads[key]}
            onChange={(text) => onChange(withPayload(payloads, key, text))}
          />
        ))}
    </>
  )
}

interface LayerFieldProps {
  setting: SettingDraft
  onChange: (part: Partial<SettingDraft>) => void
  choices: EditorChoices
}

const noLayer = 'none'

/** The slice of a layer, whose visitors alone may get the flag. */
function LayerField({ setting: { layer }, onChange, choices: { layers } }: LayerFieldProps) {
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
