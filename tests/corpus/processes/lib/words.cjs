exports.title = (topic) => `Write about ${topic}`;
