import type { SurveyAppearance } from './survey'

/**
 * The custom properties of an appearance, which `commonRules` reads. What is not a colour or a plain font list is left out.
 * A survey on a page of Tilth's site wears the site's dress: `site.css` names it `--tilth-site-…`, which no other page has.
 */
export function surveyVariables(appearance: SurveyAppearance): Record<string, string> {
  const colours = {
    background: appearance.backgroundColor,
    text: appearance.textColor,
    button: appearance.buttonColor,
    'button-text': appearance.buttonTextColor,
    rating: appearance.ratingColor,
    'rating-active': appearance.ratingActiveColor,
    border: appearance.borderColor,
    input: appearance.inputBackground,
  }
  const own: [name: string, value: string | undefined][] = [
    ...Object.entries(colours).map(([name, colour]): [string, string | undefined] => [
      name,
      isColour(colour) ? colour : undefined,
    ]),
    ['font', isFontList(appearance.fontFamily) ? appearance.fontFamily : undefined],
    ['radius', `${appearance.borderRadiusPx}px`],
    ['width', `${appearance.maxWidthPx}px`],
  ]
  return Object.fromEntries(own.map(([name, value]) => [`--tilth-${name}`, siteOr(name, value)]))
}

/** Without a value of its own and outside the site, the usual one of `commonRules` holds. */
const siteOr = (name: string, value: string | undefined): string =>
  `var(--tilth-site-${name}${value === undefined ? '' : `,${value}`})`

/** The colour scheme in which the site's dress is read. */
export const surveyScheme = (own: 'light' | 'dark'): string => `color-scheme:${siteOr('scheme', own)}`

const isColour = (text: string): boolean =>
  /^(?:#[\da-f]{3,8}|[a-z]+|(?:rgb|hsl|oklch)a?\([\d\s.,%/]+\))$/i.test(text)
const isFontList = (text: string): boolean => /^[\w\s,"'-]+$/.test(text)

/**
 * Rules for all surveys. They follow the width of the survey, not of the window: eleven marks stand in one row where it is
 * wider than 22rem, otherwise six in a row.
 */
export const commonRules = `
.tilth-survey {
  box-sizing: border-box;
  max-width: var(--tilth-width, 22.5rem);
  width: 100%;
  font: 400 1rem/1.45 var(--tilth-font, system-ui, sans-serif);
  color: var(--tilth-text, #1d1b17);
  background: var(--tilth-background, #fff);
  border: 1px solid var(--tilth-border, #d2cec4);
  border-radius: var(--tilth-radius, 10px);
  overflow-wrap: anywhere;
  color-scheme: light;
}
.tilth-survey *, .tilth-survey ::before, .tilth-survey ::after { box-sizing: border-box; }
.tilth-survey form, .tilth-survey .screen { display: flex; flex-direction: column; gap: 1rem; padding: 1.25rem; margin: 0; }
.tilth-survey h2, .tilth-survey .legend { font: inherit; font-weight: 600; font-size: 1.0625rem; margin: 0; padding: 0; text-wrap: pretty; }
.tilth-survey .legend { margin-bottom: .5rem; }
.tilth-survey .description { margin: 0; font-size: .9375rem; opacity: .85; }
.tilth-survey .description > :first-child { margin-top: 0; }
.tilth-survey .description > :last-child { margin-bottom: 0; }
.tilth-survey fieldset { border: 0; margin: 0; padding: 0; min-width: 0; display: flex; flex-direction: column; gap: .75rem; }
.tilth-survey a { color: inherit; }
.tilth-survey .problem { margin: 0; font-size: .875rem; font-weight: 600; }
.tilth-survey .problem::before { content: "⚠ "; }
.tilth-survey input, .tilth-survey textarea, .tilth-survey select, .tilth-survey button { font: inherit; color: inherit; }
.tilth-survey .text {
  width: 100%; min-height: 2.75rem; padding: .5rem .75rem; margin: 0; border: 1px solid var(--tilth-border, #d2cec4);
  border-radius: calc(var(--tilth-radius, 10px) * .6); background: var(--tilth-input, #fff);
}
.tilth-survey textarea.text { min-height: 5.5rem; resize: vertical; display: block; }
.tilth-survey ::placeholder { color: inherit; opacity: .7; }
.tilth-survey :focus-visible, .tilth-survey .option:has(:focus-visible) { outline: 2px solid currentcolor; outline-offset: 2px; }
.tilth-survey .option :focus-visible { outline: none; }
.tilth-survey .options { display: flex; flex-direction: column; gap: .5rem; list-style: none; margin: 0; padding: 0; }
.tilth-survey .option {
  display: flex; align-items: center; gap: .625rem; min-height: 2.75rem; padding: .5rem .75rem; cursor: pointer;
  border: 1px solid var(--tilth-border, #d2cec4); border-radius: calc(var(--tilth-radius, 10px) * .6);
  background: var(--tilth-input, #fff);
}
.tilth-survey .option:has(:checked:not([value=""])) { border-color: var(--tilth-rating-active, #1d1b17); box-shadow: inset 0 0 0 1px var(--tilth-rating-active, #1d1b17); }
.tilth-survey .option input { flex: none; width: 1.125rem; height: 1.125rem; margin: 0; accent-color: var(--tilth-rating-active, #1d1b17); }
.tilth-survey .option .text { width: auto; flex: 1; min-width: 6rem; height: auto; min-height: 2.25rem; padding: .25rem .5rem; }
.tilth-survey .scale { display: flex; gap: .25rem; }
.tilth-survey .mark {
  position: relative; flex: 1 1 0; min-width: 0; min-height: 2.75rem; display: grid; place-items: center; cursor: pointer;
  border: 1px solid var(--tilth-border, #d2cec4); border-radius: calc(var(--tilth-radius, 10px) * .5);
  background: var(--tilth-rating, #fff); font-variant-numeric: tabular-nums;
}
.tilth-survey .mark input { position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; opacity: 0; cursor: pointer; }
.tilth-survey .mark:has(:focus-visible) { outline: 2px solid currentcolor; outline-offset: 2px; z-index: 1; }
.tilth-survey .mark:has(:checked) { background: var(--tilth-rating-active, #1d1b17); color: var(--tilth-background, #fff); }
.tilth-survey .mark svg { width: 1.75rem; height: 1.75rem; }
.tilth-survey .icons .mark { border-color: transparent; background: none; color: inherit; opacity: .75; }
.tilth-survey .icons .mark:hover, .tilth-survey .icons .mark:has(:checked) { opacity: 1; color: var(--tilth-rating-active, #1d1b17); }
.tilth-survey .stars:has(:checked) .mark svg { fill: currentcolor; }
.tilth-survey .stars .mark:has(:checked) ~ .mark svg { fill: none; }
.tilth-survey .ends { display: flex; justify-content: space-between; gap: 1rem; font-size: .875rem; opacity: .85; margin-top: -.375rem; }
.tilth-survey .of-11 { flex-wrap: wrap; }
.tilth-survey .of-11 .mark { flex-basis: clamp(0rem, (19.5rem - 100%) * 999, 15%); max-width: max(15.5%, (100% - 19.5rem) * 999); }
.tilth-survey .buttons { display: flex; flex-direction: row-reverse; gap: .5rem; align-items: center; }
.tilth-survey .button {
  display: inline-block; min-height: 2.75rem; padding: .5rem 1.125rem; margin-inline-start: auto; border: 0; cursor: pointer; font-weight: 600; text-decoration: none; text-align: center;
  color: var(--tilth-button-text, #fff); background: var(--tilth-button, #1d1b17); border-radius: calc(var(--tilth-radius, 10px) * .6);
}
.tilth-survey .back { min-height: 2.75rem; padding: .5rem .75rem; border: 0; background: none; cursor: pointer; text-decoration: underline; }
.tilth-survey progress { display: block; width: calc(100% - 2.5rem); height: 4px; margin: 1rem 1.25rem -.25rem; border: 0; border-radius: 2px; overflow: hidden; background: var(--tilth-border, #d2cec4); appearance: none; }
.tilth-survey progress::-webkit-progress-bar { background: var(--tilth-border, #d2cec4); }
.tilth-survey progress::-webkit-progress-value { background: var(--tilth-button, #1d1b17); }
.tilth-survey progress::-moz-progress-bar { background: var(--tilth-button, #1d1b17); }
.tilth-survey .close { float: inline-end; min-width: 2.75rem; min-height: 2.75rem; margin: .25rem; border: 0; background: none; cursor: pointer; font: 1.5rem/1 system-ui; }
.tilth-survey .heading:focus, .tilth-survey .legend:focus { outline: none; }
`

/** Rules for the kinds of questions in `rareKinds`. */
export const rareRules = `
.tilth-survey .hidden-text { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.tilth-survey { container: tilth-survey / inline-size; }
.tilth-survey .pictures { display: grid; grid-template-columns: repeat(auto-fill, minmax(7rem, 1fr)); gap: .5rem; }
.tilth-survey .pictures .option { flex-direction: column; align-items: stretch; padding: .5rem; }
.tilth-survey .pictures img { width: 100%; aspect-ratio: 4 / 3; object-fit: cover; border-radius: calc(var(--tilth-radius, 10px) * .4); display: block; }
.tilth-survey .pictures span { display: flex; align-items: center; gap: .5rem; }
.tilth-survey .rank { display: flex; align-items: center; gap: .75rem; }
.tilth-survey .rank label { flex: 1; min-width: 0; }
.tilth-survey .rank select { width: auto; }
.tilth-survey .matrix { overflow-x: auto; }
.tilth-survey .matrix table { width: 100%; border-collapse: collapse; font-size: .9375rem; }
.tilth-survey .matrix th { font-weight: 500; padding: .375rem .5rem; text-align: center; vertical-align: bottom; }
.tilth-survey .matrix tbody th { text-align: start; vertical-align: middle; }
.tilth-survey .matrix td { text-align: center; border-top: 1px solid var(--tilth-border, #d2cec4); }
.tilth-survey .matrix tbody th { border-top: 1px solid var(--tilth-border, #d2cec4); }
.tilth-survey .matrix td label { display: grid; place-items: center; min-height: 2.75rem; min-width: 2.75rem; cursor: pointer; }
.tilth-survey .matrix input { width: 1.125rem; height: 1.125rem; margin: 0; accent-color: var(--tilth-rating-active, #1d1b17); }
@container tilth-survey (max-width: 26rem) {
  .tilth-survey .matrix thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .tilth-survey .matrix tr { display: flex; flex-wrap: wrap; padding: .5rem 0; }
  .tilth-survey .matrix tbody th, .tilth-survey .matrix td { border: 0; }
  .tilth-survey .matrix tbody th { flex: 1 0 100%; }
  .tilth-survey .matrix td { flex: 1; }
  .tilth-survey .matrix td label::after { content: attr(data-column); font-size: .8125rem; }
  .tilth-survey .matrix td label { gap: .25rem; padding: .375rem; }
}
.tilth-survey .contact { display: grid; gap: .75rem; }
.tilth-survey .contact label { display: block; font-size: .9375rem; margin-bottom: .25rem; }
`
