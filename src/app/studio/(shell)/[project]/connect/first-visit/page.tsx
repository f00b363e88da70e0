export { metadata, FirstVisitPage as default } from '#studio/connect/first-visit/FirstVisitPage'
