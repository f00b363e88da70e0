'use client'

import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { SurveyQuestion } from '#surveys/question'
import type { SurveyContent, SurveyScreen, SurveyTranslation } from '#surveys/survey'
import { Badge } from '#ui/Badge'
import { Button } from '#ui/Button'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { Field } from '#ui/form/Field'
import { Form } from '#ui/form/Form'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { Panel } from '#ui/page/Panel'
import { SegmentedControl } from '#ui/form/SegmentedControl'
import { Textarea } from '#ui/form/Textarea'
import { TextInput } from '#ui/form/TextInput'
import { useBuilder, useProblem } from './BuilderContext'
import { translatablePairs, translateQuestion, translationProgress, withPair } from './content-changes'
import { shownText } from './flow-words'

/** Edits the texts of other languages, each below the survey's own. */
export function TranslationFields() {
  const { content } = useBuilder()
  const languages = Object.keys(content.translations)
  const [chosen, setChosen] = useState(languages[0])
  const language = languages.find((tag) => tag === chosen) ?? languages[0]
  return (
    <>
      <Panel title="Languages" description="Shown in the browser’s language if available.">
        <div className="flex flex-col gap-4">
          {language !== undefined && (
            <div className="flex flex-wrap items-center gap-3">
              <SegmentedControl
                label="Language"
                options={languages.map((tag) => ({ value: tag, label: tag }))}
                value={language}
                onChange={setChosen}
              />
              <Progress content={content} language={language} />
              <RemoveLanguage language={language} />
            </div>
          )}
          <AddLanguage onAdded={setChosen} />
        </div>
      </Panel>
      {language === undefined ? (
        <Panel>
          <EmptyMessage
            title="1 language"
            body="Add a language such as de or pt-BR and translate each question. Responses in all languages are counted together."
          />
        </Panel>
      ) : (
        <LanguageTexts key={language} language={language} />
      )}
    </>
  )
}

function Progress({ content, language }: { content: SurveyContent; language: string }) {
  const { done, of } = translationProgress(content, language)
  return (
    <Badge tone={done === of ? 'success' : 'warning'}>
      {done === of ? 'Complete' : `${done} of ${of} texts`}
    </Badge>
  )
}

function RemoveLanguage({ language }: { language: string }) {
  const { changeContent } = useBuilder()
  return (
    <IconButton
      label={`Remove ${language}`}
      icon={<Icon of={Trash2} />}
      onClick={() =>
        changeContent((before) => {
          const { [language]: _, ...translations } = before.translations
          return { ...before, translations }
        })
      }
    />
  )
}

const languageTag = /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i

function AddLanguage({ onAdded }: { onAdded: (tag: string) => void }) {
  const { content, changeContent } = useBuilder()
  const [tag, setTag] = useState('')
  const [problem, setProblem] = useState<string>()

  /** A form with a field in error is not submitted, so the error goes as soon as the text changes. */
  function type(next: string) {
    setProblem(undefined)
    setTag(next)
  }

  function add() {
    const wanted = tag.trim()
    if (!languageTag.test(wanted)) return setProblem('Enter a language tag such as de or pt-BR.')
    if (wanted in content.translations) return setProblem(`The survey has ${wanted} already.`)
    setProblem(undefined)
    setTag('')
    changeContent((before) => ({ ...before, translations: { ...before.translations, [wanted]: {} } }))
    onAdded(wanted)
  }
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault()
        add()
      }}
    >
      <div className="flex max-w-xs items-end gap-2">
        <Field label="New language" {...(problem !== undefined && { error: problem })}>
          <TextInput placeholder="de" value={tag} onChange={({ target }) => type(target.value)} />
        </Field>
        <Button type="submit" icon={<Icon of={Plus} />}>
          Add
        </Button>
      </div>
    </Form>
  )
}

function LanguageTexts({ language }: { language: string }) {
  const { content, changeContent } = useBuilder()
  const translation = content.translations[language] ?? {}
  const put = (part: Partial<SurveyTranslation>) =>
    changeContent((before) => ({
      ...before,
      translations: { ...before.translations, [language]: { ...before.translations[language], ...part } },
    }))
  return (
    <>
      {content.intro && (
        <Panel title="Intro">
          <ScreenTexts
            screen={content.intro}
            texts={translation.intro ?? {}}
            language={language}
            label="Intro"
            onChange={(intro) => put({ intro })}
          />
        </Panel>
      )}
      {content.questions.map((question, index) => (
        <Panel key={question.id} title={`${index + 1}. ${shownText(question.text)}`}>
          <QuestionTexts question={question} index={index} language={language} />
        </Panel>
      ))}
      {content.endCards.map((card, index) => (
        <Panel key={card.id} title={`End card ${index + 1}`}>
          <ScreenTexts
            screen={card}
            texts={translation.endCards?.[card.id] ?? {}}
            language={language}
            label={`End card ${index + 1}`}
            onChange={(texts) => put({ endCards: { ...translation.endCards, [card.id]: texts } })}
          />
        </Panel>
      ))}
    </>
  )
}

function QuestionTexts({
  question,
  index,
  language,
}: {
  question: SurveyQuestion
  index: number
  language: string
}) {
  const { content, changeContent } = useBuilder()
  const texts = content.translations[language]?.questions?.[question.id] ?? {}
  const { error } = useProblem(`content.translations.${language}.questions.${question.id}`)
  return (
    <div className="flex flex-col gap-3">
      {translatablePairs(question, texts).map((pair) => (
        <TextPairField
          key={`${pair.name} ${pair.index ?? ''}`}
          label={`Question ${index + 1}, ${pair.label.toLowerCase()} in ${language}`}
          own={pair.own}
          value={pair.translation}
          language={language}
          onChange={(text) =>
            changeContent((before) =>
              translateQuestion(before, language, question.id, withPair(question, texts, pair, text)),
            )
          }
        />
      ))}
      {error && <p className="text-xs text-danger-ink">{error}</p>}
    </div>
  )
}

const screenTexts = [
  { name: 'header', label: 'heading' },
  { name: 'description', label: 'description' },
  { name: 'buttonText', label: 'button' },
] as const

type ScreenTranslation = Partial<Record<keyof SurveyScreen, string>>

function ScreenTexts({
  screen,
  texts,
  language,
  label,
  onChange,
}: {
  screen: SurveyScreen
  texts: ScreenTranslation
  language: string
  label: string
  onChange: (texts: ScreenTranslation) => void
}) {
  const ownOf = (name: keyof SurveyScreen) =>
    name === 'description' ? screen.description.text : screen[name]
  return (
    <div className="flex flex-col gap-3">
      {screenTexts
        .filter(({ name }) => ownOf(name) !== '')
        .map(({ name, label: part }) => (
          <TextPairField
            key={name}
            label={`${label}, ${part} in ${language}`}
            own={ownOf(name)}
            value={texts[name] ?? ''}
            language={language}
            onChange={(text) => onChange({ ...texts, [name]: text })}
          />
        ))}
    </div>
  )
}

const longText = 80

/** A text beside its translation. */
function TextPairField({
  label,
  own,
  value,
  language,
  onChange,
}: {
  label: string
  own: string
  value: string
  language: string
  onChange: (text: string) => void
}) {
  return (
    <div className="grid items-start gap-x-4 gap-y-1 sm:grid-cols-2">
      <p className="min-w-0 pt-1.5 wrap-anywhere text-muted">{own}</p>
      <Field label={label} labelHidden>
        {own.length > longText ? (
          <Textarea rows={3} lang={language} value={value} onChange={onChange} />
        ) : (
          <TextInput lang={language} value={value} onChange={({ target }) => onChange(target.value)} />
        )}
      </Field>
    </div>
  )
}
