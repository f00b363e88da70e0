import type { Store } from '#store/store'
import type { SurveyAppearance } from '#surveys/survey'
import { defaultSite } from './site'
import { accentsOf } from './site-accents'
import { storedSiteSettings } from './internal/sites'

/** A new survey looks like the project's site, once that has a look of its own. */
export const storedSurveyBrand =
  (store: Store) =>
  async (projectId: number): Promise<Partial<SurveyAppearance>> => {
    const site = await storedSiteSettings(store, projectId)
    const { light, onLight } = accentsOf(site)
    return {
      ...(site.accent !== defaultSite.accent && {
        buttonColor: light,
        buttonTextColor: onLight,
        ratingActiveColor: light,
      }),
      ...(site.typeface === 'serif' && { fontFamily: 'Georgia, serif' }),
    }
  }
