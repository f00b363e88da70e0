export { generateMetadata, SharePage as default } from '#studio/surveys/share/SharePage'
