import type { Site, SiteSettings } from '#posts/site'
import { changedLabels } from '#studio/parts/draft-fields'

/** The settings of a site without the values derived from them. */
export function draftOf(site: Site, projectName: string): SiteSettings {
  const { projectId: _, origin: _origin, timeZone: _zone, writeKey: _key, ...settings } = site
  return { ...settings, name: site.name === projectName ? '' : site.name }
}

const labels: Record<keyof SiteSettings, string> = {
  isOn: 'Publish the site',
  name: 'Name',
  description: 'Description',
  address: 'URL',
  language: 'Language',
  theme: 'Theme',
  typeface: 'Typeface',
  layout: 'Blog',
  appearance: 'Appearance',
  width: 'Width',
  showsContents: 'Table of contents',
  showsCovers: 'Covers on posts',
  postsPerPage: 'Posts per page',
  accent: 'Accent',
  accentDark: 'Accent in dark theme',
  logo: 'Logo',
  favicon: 'Favicon',
  socialPicture: 'Social picture',
  navigation: 'Navigation',
  headerMarkdown: 'Above the header',
  footer: 'Links of the footer',
  footerMarkdown: 'Above the footer',
  footerText: 'Text of the footer',
  words: 'Texts',
  metaTags: 'Meta tags',
  visitors: 'Visitor identification',
  loadsPosthog: 'Load posthog-js',
  refusesAiCrawlers: 'Disallow AI crawlers',
}

/** The settings that differ, by their labels. */
export const differencesOf = (before: SiteSettings, after: SiteSettings): string[] =>
  changedLabels(labels, before, after)
