import { z } from 'zod'
import {
  type EndCard,
  type Survey,
  type SurveyAppearance,
  type SurveyContent,
  type SurveyPlacement,
  type SurveyPosition,
  surveyPositions,
  type SurveyScreen,
  type SurveyTargeting,
  type SurveyTranslation,
} from '../../survey'
import { contentType, defined, formatted, formattedText, optionalFlag, optionalText } from './fields'
import type { HtmlSanitizer, PosthogAppearance, PosthogTexts } from './posthog-types'

type AppearanceSource = Pick<Survey, 'placement' | 'targeting' | 'content'>

/** Colours, position, screens and placement: PostHog keeps them all in `appearance`. */
export function toPosthogAppearance(
  { placement, targeting, content }: AppearanceSource,
  sanitize: HtmlSanitizer,
): PosthogAppearance {
  const { appearance, questions } = content
  const placeholder = questions.find((question) => question.kind === 'open' && question.placeholder !== '')
  return {
    ...Object.fromEntries(colorNames.map(([ours, posthogName]) => [posthogName, appearance[ours]])),
    fontFamily: appearance.fontFamily,
    borderRadius: `${appearance.borderRadiusPx}px`,
    maxWidth: `${appearance.maxWidthPx}px`,
    position: appearance.position.replace('-', '_'),
    ...widgetOf(placement),
    ...(placeholder?.kind === 'open' && { placeholder: placeholder.placeholder }),
    ...(targeting.delaySeconds && { surveyPopupDelaySeconds: targeting.delaySeconds }),
    ...introOf(content, sanitize),
    ...thanksOf(content, sanitize),
    shuffleQuestions: content.shufflesQuestions,
    allowGoBack: content.allowsGoingBack,
    // otherwise posthog-js draws the logo of PostHog
    whiteLabel: true,
  }
}

const colorNames = [
  ['backgroundColor', 'backgroundColor'],
  ['textColor', 'textColor'],
  ['buttonColor', 'submitButtonColor'],
  ['buttonTextColor', 'submitButtonTextColor'],
  ['ratingColor', 'ratingButtonColor'],
  ['ratingActiveColor', 'ratingButtonActiveColor'],
  ['borderColor', 'borderColor'],
  ['inputBackground', 'inputBackground'],
] as const satisfies readonly (readonly [keyof SurveyAppearance, string])[]

function widgetOf(placement: SurveyPlacement): PosthogAppearance {
  switch (placement.kind) {
    case 'tab':
      return { widgetType: 'tab', widgetLabel: placement.label, widgetColor: placement.color }
    case 'selector':
      return { widgetType: 'selector', widgetSelector: placement.selector, position: 'next_to_trigger' }
    default:
      return {}
  }
}

function introOf({ intro }: SurveyContent, sanitize: HtmlSanitizer): PosthogAppearance {
  if (!intro) return {}
  return {
    displayIntroScreen: true,
    introScreenHeader: intro.header,
    ...formatted('introScreenDescription', intro.description, sanitize),
    ...(intro.buttonText !== '' && { introScreenButtonText: intro.buttonText }),
  }
}

/** PostHog has one end card, or none. */
function thanksOf({ endCards }: SurveyContent, sanitize: HtmlSanitizer): PosthogAppearance {
  const [card] = endCards
  if (!card) return { displayThankYouMessage: false }
  return {
    displayThankYouMessage: true,
    thankYouMessageHeader: card.header,
    ...formatted('thankYouMessageDescription', card.description, sanitize),
    ...(card.buttonText !== '' && { thankYouMessageCloseButtonText: card.buttonText }),
  }
}

/** The translated name and screens by language; questions carry their own. */
export function toPosthogTranslations(
  { translations, intro, endCards: [card] }: SurveyContent,
  sanitize: HtmlSanitizer,
): Record<string, PosthogTexts> {
  const entries = Object.entries(translations).map(([language, translation]) => {
    const screens = card && translation.endCards?.[card.id]
    return [
      language,
      defined({
        name: translation.name,
        ...screenTexts('introScreen', 'ButtonText', translation.intro, intro, sanitize),
        ...screenTexts('thankYouMessage', 'CloseButtonText', screens, card, sanitize),
      }),
    ] as const
  })
  return Object.fromEntries(entries)
}

function screenTexts(
  prefix: string,
  button: string,
  texts: Partial<Record<keyof SurveyScreen, string>> | undefined,
  screen: SurveyScreen | undefined,
  sanitize: HtmlSanitizer,
): Record<string, string | undefined> {
  if (!texts || !screen) return {}
  const description =
    texts.description === undefined
      ? undefined
      : formattedText(texts.description, screen.description.format, sanitize).text
  return {
    [`${prefix}Header`]: texts.header,
    [`${prefix}Description`]: description,
    [`${prefix}${button}`]: texts.buttonText,
  }
}

const knownAppearance = z.looseObject({
  backgroundColor: optionalText,
  textColor: optionalText,
  submitButtonColor: optionalText,
  submitButtonTextColor: optionalText,
  ratingButtonColor: optionalText,
  ratingButtonActiveColor: optionalText,
  borderColor: optionalText,
  inputBackground: optionalText,
  fontFamily: optionalText,
  borderRadius: z.union([z.string(), z.number()]).nullish(),
  maxWidth: z.union([z.string(), z.number()]).nullish(),
  position: optionalText,
  placeholder: optionalText,
  submitButtonText: optionalText,
  surveyPopupDelaySeconds: z.number().nullish(),
  displayIntroScreen: optionalFlag,
  introScreenHeader: optionalText,
  introScreenDescription: optionalText,
  introScreenDescriptionContentType: contentType,
  introScreenButtonText: optionalText,
  displayThankYouMessage: optionalFlag,
  thankYouMessageHeader: optionalText,
  thankYouMessageDescription: optionalText,
  thankYouMessageDescriptionContentType: contentType,
  thankYouMessageCloseButtonText: optionalText,
  shuffleQuestions: optionalFlag,
  allowGoBack: optionalFlag,
  widgetType: optionalText,
  widgetLabel: optionalText,
  widgetColor: optionalText,
  widgetSelector: optionalText,
})
export const theirAppearance = knownAppearance.nullish().transform((appearance) => appearance ?? undefined)
type TheirAppearance = z.infer<typeof theirAppearance>

/** Fields of other versions, of the badge, and colours that follow from the others. */
const withoutMeaning = new Set([
  'whiteLabel',
  'ratingButtonHoverColor',
  'descriptionTextColor',
  'inputBackgroundColor',
])

/** The fields with a value that Tilth has no field for. */
export const appearanceNotKept = (given: TheirAppearance): string[] =>
  Object.entries(given ?? {}).flatMap(([field, value]) => {
    const isKept = Object.hasOwn(knownAppearance.shape, field) || withoutMeaning.has(field)
    return isKept || value === null || value === false || value === '' ? [] : [field]
  })

/** The looks that posthog-js gives a survey of PostHog that sets none. */
const posthogDefaults: SurveyAppearance = {
  backgroundColor: '#eeeded',
  textColor: '#000000',
  buttonColor: '#000000',
  buttonTextColor: '#ffffff',
  ratingColor: '#ffffff',
  ratingActiveColor: '#000000',
  borderColor: '#c9c6c6',
  inputBackground: '#ffffff',
  fontFamily: 'system-ui',
  borderRadiusPx: 10,
  maxWidthPx: 300,
  position: 'right',
  progressBar: false,
}

export function fromPosthogAppearance(given: TheirAppearance): SurveyAppearance {
  const colors = colorNames.flatMap(([ours, posthogName]) =>
    given?.[posthogName] ? [[ours, given[posthogName]]] : [],
  )
  return {
    ...posthogDefaults,
    ...Object.fromEntries(colors),
    ...(given?.fontFamily && { fontFamily: given.fontFamily }),
    borderRadiusPx: pixelsIn(given?.borderRadius) ?? posthogDefaults.borderRadiusPx,
    maxWidthPx: pixelsIn(given?.maxWidth) ?? posthogDefaults.maxWidthPx,
    position: positionOf(given?.position),
  }
}

function pixelsIn(size: string | number | null | undefined): number | undefined {
  const [, pixels] = /^(\d+)(?:px)?$/.exec(String(size ?? '').trim()) ?? []
  return pixels === undefined ? undefined : Number(pixels)
}

const positionOf = (position = ''): SurveyPosition =>
  surveyPositions.find((one) => one === position.replace('_', '-')) ?? posthogDefaults.position

export function fromPosthogPlacement(
  type: string,
  given: TheirAppearance,
  note: (sentence: string) => void,
): SurveyPlacement {
  if (type === 'external_survey') return { kind: 'hosted' }
  if (type === 'popover' || type === 'api') return { kind: type }
  if (given?.widgetType === 'selector' && given.widgetSelector)
    return { kind: 'selector', selector: given.widgetSelector }
  if (given?.widgetType === 'button')
    note('posthog-js draws no widget of the type “button”; it becomes a tab.')
  return {
    kind: 'tab',
    label: given?.widgetLabel || 'Feedback',
    color: given?.widgetColor || '#000000',
  }
}

/** The delay before a popover belongs to when a survey is shown. */
export const delayOf = (given: TheirAppearance): Pick<SurveyTargeting, 'delaySeconds'> =>
  given?.surveyPopupDelaySeconds ? { delaySeconds: given.surveyPopupDelaySeconds } : {}

const thanksId = 'thanks'

export function screensOf(
  given: TheirAppearance,
  sanitize: HtmlSanitizer,
): { intro: SurveyScreen | undefined; endCards: EndCard[] } {
  return {
    intro: given?.displayIntroScreen
      ? {
          header: given.introScreenHeader ?? '',
          description: formattedText(
            given.introScreenDescription,
            given.introScreenDescriptionContentType,
            sanitize,
          ),
          buttonText: given.introScreenButtonText ?? '',
        }
      : undefined,
    endCards: given?.displayThankYouMessage
      ? [
          {
            id: thanksId,
            // the text that posthog-js writes there of its own
            header: given.thankYouMessageHeader || 'Thank you for your feedback!',
            description: formattedText(
              given.thankYouMessageDescription,
              given.thankYouMessageDescriptionContentType,
              sanitize,
            ),
            buttonText: given.thankYouMessageCloseButtonText ?? '',
            link: '',
          },
        ]
      : [],
  }
}

export const theirTranslation = z.looseObject({
  name: optionalText,
  introScreenHeader: optionalText,
  introScreenDescription: optionalText,
  introScreenButtonText: optionalText,
  thankYouMessageHeader: optionalText,
  thankYouMessageDescription: optionalText,
  thankYouMessageCloseButtonText: optionalText,
})

export function screenTranslation(
  given: Partial<z.infer<typeof theirTranslation>>,
  { intro, endCards: [card] }: Pick<SurveyContent, 'intro' | 'endCards'>,
  sanitize: HtmlSanitizer,
): SurveyTranslation {
  const texts = (screen: SurveyScreen, header?: string, description?: string, buttonText?: string) =>
    defined({
      header,
      description: description && formattedText(description, screen.description.format, sanitize).text,
      buttonText,
    })
  return {
    ...(given.name !== undefined && { name: given.name }),
    ...(intro && {
      intro: texts(intro, given.introScreenHeader, given.introScreenDescription, given.introScreenButtonText),
    }),
    ...(card && {
      endCards: {
        [card.id]: texts(
          card,
          given.thankYouMessageHeader,
          given.thankYouMessageDescription,
          given.thankYouMessageCloseButtonText,
        ),
      },
    }),
  }
}
