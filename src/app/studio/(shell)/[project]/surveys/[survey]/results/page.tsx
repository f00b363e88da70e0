export { generateMetadata, SurveyResultsPage as default } from '#studio/surveys/results/SurveyResultsPage'
