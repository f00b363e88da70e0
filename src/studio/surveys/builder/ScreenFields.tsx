'use client'

import { Plus, Trash2 } from 'lucide-react'
import type { EndCard, SurveyScreen } from '#surveys/survey'
import { Button } from '#ui/Button'
import { Checkbox } from '#ui/form/Checkbox'
import { Field } from '#ui/form/Field'
import { MultiCombobox } from '#ui/form/Combobox'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { Panel } from '#ui/page/Panel'
import { Switch } from '#ui/form/Switch'
import { TextInput } from '#ui/form/TextInput'
import { useBuilder, useProblem } from './BuilderContext'
import { newEndCard, removeEndCard } from './content-changes'
import { DescriptionField } from './QuestionEditor'

const newIntro: SurveyScreen = {
  header: 'Do you have a minute?',
  description: { format: 'text', text: '' },
  buttonText: 'Begin',
}

/** Edits what is shown before the first question and after the last, and how answers are taken. */
export function ScreenFields() {
  const { content, changeContent } = useBuilder()
  const { intro, endCards } = content
  return (
    <>
      <Panel title="Before the first question">
        <div className="flex flex-col gap-4">
          <Switch
            label="Intro"
            hint="What the survey is about and how long it takes."
            checked={intro !== undefined}
            onChange={(isOn) =>
              changeContent((before) => ({ ...before, intro: isOn ? newIntro : undefined }))
            }
          />
          {intro && (
            <ScreenParts
              label="Intro"
              screen={intro}
              onChange={(part) => changeContent((before) => ({ ...before, intro: { ...intro, ...part } }))}
            />
          )}
        </div>
      </Panel>
      <Panel
        title="After the last question"
        description="Without an end card, the survey closes. Branches can lead to different end cards."
      >
        <div className="flex flex-col gap-5">
          {endCards.map((card, index) => (
            <EndCardFields key={card.id} card={card} index={index} />
          ))}
          <div>
            <Button
              size="sm"
              icon={<Icon of={Plus} />}
              onClick={() =>
                changeContent((before) => ({ ...before, endCards: [...before.endCards, newEndCard()] }))
              }
            >
              Add end card
            </Button>
          </div>
        </div>
      </Panel>
      <Panel title="Answers">
        <AnswerSettings />
      </Panel>
    </>
  )
}

function ScreenParts({
  label,
  screen,
  onChange,
}: {
  label: string
  screen: SurveyScreen
  onChange: (part: Partial<SurveyScreen>) => void
}) {
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={`Heading of ${label.toLowerCase()}`}>
          <TextInput value={screen.header} onChange={({ target }) => onChange({ header: target.value })} />
        </Field>
        <Field label={`Button of ${label.toLowerCase()}`} optional>
          <TextInput
            value={screen.buttonText}
            onChange={({ target }) => onChange({ buttonText: target.value })}
          />
        </Field>
      </div>
      <DescriptionField
        label={`Description of ${label.toLowerCase()}`}
        value={screen.description}
        onChange={(description) => onChange({ description })}
      />
    </>
  )
}

function EndCardFields({ card, index }: { card: EndCard; index: number }) {
  const { changeContent } = useBuilder()
  const label = `End card ${index + 1}`
  const put = (part: Partial<EndCard>) =>
    changeContent((before) => ({
      ...before,
      endCards: before.endCards.map((one) => (one.id === card.id ? { ...one, ...part } : one)),
    }))
  return (
    <section
      aria-label={label}
      className="flex flex-col gap-4 border-t border-line pt-4 first:border-0 first:pt-0"
    >
      <header className="flex items-center justify-between">
        <h3 className="font-medium">{index === 0 ? `${label}, default` : label}</h3>
        <IconButton
          label={`Remove ${label.toLowerCase()}`}
          icon={<Icon of={Trash2} />}
          onClick={() => changeContent((before) => removeEndCard(before, card.id))}
        />
      </header>
      <ScreenParts label={label} screen={card} onChange={put} />
      <Field
        label={`Link of the button of ${label.toLowerCase()}`}
        optional
        hint="https only."
        {...useProblem(`content.endCards.${index}.link`)}
      >
        <TextInput inputMode="url" value={card.link} onChange={({ target }) => put({ link: target.value })} />
      </Field>
      {card.link !== '' && (
        <Checkbox
          label="Go to the link at once"
          hint="On the survey’s own page and in pages and posts. Elsewhere the button leads there."
          checked={card.redirects === true}
          onChange={(redirects) => put({ redirects })}
        />
      )}
    </section>
  )
}

const toggles = [
  {
    name: 'sendsPartialAnswers',
    label: 'Save partial responses',
    hint: 'Answers are sent one by one, so that abandoned responses count.',
  },
  { name: 'allowsGoingBack', label: 'Allow going back', hint: 'Adds a back button.' },
  {
    name: 'shufflesQuestions',
    label: 'Shuffle the questions',
    hint: 'Only without branches and partial responses.',
  },
] as const

function AnswerSettings() {
  const { content, changeContent } = useBuilder()
  return (
    <div className="flex flex-col gap-3">
      {toggles.map(({ name, label, hint }) => (
        <Checkbox
          key={name}
          label={label}
          hint={hint}
          checked={content[name]}
          onChange={(isOn) => changeContent((before) => ({ ...before, [name]: isOn }))}
        />
      ))}
      <Field
        label="Hidden fields"
        optional
        hint="Set by URL parameters such as ?plan=pro or by code, and stored with the response."
        {...useProblem('content.hiddenFields')}
      >
        <MultiCombobox
          options={[]}
          values={content.hiddenFields}
          onChange={(hiddenFields) => changeContent((before) => ({ ...before, hiddenFields }))}
          placeholder="plan"
          allowOther
          nothingFound="Type a name"
        />
      </Field>
    </div>
  )
}
