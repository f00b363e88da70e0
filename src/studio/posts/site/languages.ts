const codes = [
  'en',
  'de',
  'fr',
  'es',
  'pt',
  'it',
  'nl',
  'pl',
  'cs',
  'da',
  'sv',
  'nb',
  'fi',
  'tr',
  'uk',
  'ru',
  'ar',
  'he',
  'hi',
  'id',
  'ja',
  'ko',
  'vi',
  'zh',
]

const names = new Intl.DisplayNames('en', { type: 'language' })

/** The most common languages; any other may be typed as its code. */
export const languages = codes.map((code) => ({ value: code, label: names.of(code) ?? code, hint: code }))
