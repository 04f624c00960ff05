package words

// chineseDiff is the diff view in Chinese.
var chineseDiff = map[string]string{}
