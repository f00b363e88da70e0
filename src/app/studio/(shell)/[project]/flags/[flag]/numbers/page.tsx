export { generateMetadata, NumbersPage as default } from '#studio/flags/NumbersPage'
